// Sounds of the table, made by the browser itself: dice, shots, something lost, your decision. Off unless somebody turns them on.

import type { LogLine, Snapshot } from './types'

let context: AudioContext | null = null

function ready(): AudioContext | null {
  try {
    context ??= new AudioContext()
    if (context.state === 'suspended') void context.resume()
    return context
  } catch {
    return null
  }
}

/** A burst of noise through a filter: a die on wood, a shot, an explosion. */
function burst(at: number, length: number, pitch: number, loud: number): void {
  const audio = ready()
  if (!audio) return
  const samples = Math.ceil(audio.sampleRate * length)
  const buffer = audio.createBuffer(1, samples, audio.sampleRate)
  const data = buffer.getChannelData(0)
  for (let i = 0; i < samples; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / samples) ** 3
  const source = new AudioBufferSourceNode(audio, { buffer })
  const filter = new BiquadFilterNode(audio, { type: 'lowpass', frequency: pitch })
  const gain = new GainNode(audio, { gain: loud })
  source.connect(filter).connect(gain).connect(audio.destination)
  source.start(audio.currentTime + at)
}

function tone(at: number, pitch: number, length: number, loud: number): void {
  const audio = ready()
  if (!audio) return
  const start = audio.currentTime + at
  const source = new OscillatorNode(audio, { type: 'triangle', frequency: pitch })
  const gain = new GainNode(audio, { gain: 0 })
  gain.gain.linearRampToValueAtTime(loud, start + 0.02)
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length)
  source.connect(gain).connect(audio.destination)
  source.start(start)
  source.stop(start + length)
}

export type Cue = 'dice' | 'shot' | 'lost' | 'yours' | 'over'

/** What is to be heard of some lines of the report. */
export function cues(lines: readonly LogLine[], throws: number, game: Pick<Snapshot, 'over' | 'decision'>): Cue[] {
  const heard: Cue[] = []
  if (throws) heard.push('dice')
  if (lines.some((line) => line.data['target'] !== undefined)) heard.push('shot')
  if (lines.some((line) => /Destroyed|Eliminated|Casualties|Lost/.test(line.kind))) heard.push('lost')
  if (game.over && lines.length) heard.push('over')
  else if (game.decision?.mine && lines.length) heard.push('yours')
  return heard
}

const PLAY: Record<Cue, () => void> = {
  dice: () => [0, 0.05, 0.09, 0.16, 0.22].forEach((at) => burst(at, 0.05, 2400 + Math.random() * 1500, 0.16)),
  shot: () => [0.3, 0.39, 0.48].forEach((at) => burst(at, 0.16, 1300, 0.22)),
  lost: () => burst(0.55, 0.7, 260, 0.5),
  yours: () => (tone(0.1, 523, 0.22, 0.1), tone(0.22, 659, 0.3, 0.1)),
  over: () => [392, 494, 587].forEach((pitch, n) => tone(0.15 * n, pitch, 0.9, 0.1))
}

export function hear(lines: readonly LogLine[], throws: number, game: Pick<Snapshot, 'over' | 'decision'>): void {
  for (const cue of cues(lines, throws, game)) PLAY[cue]()
}
