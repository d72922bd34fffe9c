// Where roads cross water: a bridge with parapets, or gravel and ripples where the place is called a ford.

import type { Drawing, Named } from './scene'
import { beside, between, dot, inside, near, noise, path, resample, smooth, spine, type Chance, type Point } from './shapes'
import { cast, fallen, mix, TONE } from './tones'

interface Crossing {
  line: Point[]
  half: number
}

const BANK = 16
const STEP = 8

/** The stretches of roads that lie over water, or have water on both sides, with a little of each bank. */
export function crossingsOf(roads: readonly (readonly Point[])[], waters: readonly (readonly Point[])[]): Crossing[] {
  const wet = ([x, y]: Point): boolean => waters.some((outline) => inside(x, y, outline))
  return roads.flatMap((outline) => {
    const strip = spine(outline)
    if (!strip) return []
    const line = resample(strip.line, STEP, false)
    const sides = [1, -1].map((side) => beside(line, () => side * (strip.half + 14)))
    const over = line.map((point, i) => wet(point) || (wet(sides[0]![i]!) && wet(sides[1]![i]!)))
    const made: Crossing[] = []
    for (let i = 0; i < line.length; i += 1) {
      if (!over[i]) continue
      let end = i
      while (end + 1 < line.length && over[end + 1]) end += 1
      const more = Math.ceil(BANK / STEP)
      if (end - i >= 4) made.push({ line: line.slice(Math.max(0, i - more), end + 1 + more), half: strip.half })
      i = end
    }
    return made
  })
}

export function crossings(on: Drawing, roads: readonly (readonly Point[])[], waters: readonly (readonly Point[])[], named: readonly Named[], roll: Chance): void {
  for (const one of crossingsOf(roads, waters)) {
    const [mx, my] = one.line[Math.floor(one.line.length / 2)]!
    const isFord = named.some((place) => /\bford\b/i.test(place.name) && Math.hypot(place.x - mx, place.y - my) < 160)
    if (isFord) ford(on, one, roll)
    else bridge(on, one, roll)
  }
}

/** A deck of planks between stone parapets, its shadow on the water. */
function bridge(on: Drawing, { line, half }: Crossing, roll: Chance): void {
  const [left, right] = [beside(line, () => half), beside(line, () => -half)]
  const deck = [...left, ...[...right].reverse()]
  on.ground.push({ d: path(fallen(deck, 15)), fill: TONE.shadow, alpha: 0.24 }, { d: path(deck), fill: mix(TONE.boards, TONE.road, 0.35), stroke: TONE.wall, width: 1.6 })
  const planks = resample(line, 6.5, false)
  const [a, b] = [beside(planks, () => half - 3), beside(planks, () => 3 - half)]
  on.ground.push({ d: a.map((point, i) => path([point, b[i]!], false)).join(''), stroke: TONE.boardsInk, width: 1.3, alpha: 0.85 })
  for (const rail of [left, right]) {
    on.shade += rail.slice(1).map((point, i) => cast([rail[i]!, point], 7)).join('')
    on.high.push({ d: path(rail, false), stroke: TONE.wall, width: 7 }, { d: path(rail, false), stroke: TONE.stone, width: 4.4 }, { d: path(rail, false), stroke: TONE.stoneInk, width: 4.4, dash: [1.1, 8 + roll() * 2] })
    for (const end of [rail[0]!, rail[rail.length - 1]!]) on.high.push({ d: path([[end[0] - 5, end[1] - 5], [end[0] + 5, end[1] - 5], [end[0] + 5, end[1] + 5], [end[0] - 5, end[1] + 5]]), fill: TONE.stoneLight, stroke: TONE.wall, width: 1.6 })
  }
}

/** The road goes down into the water and out of it. */
function ford(on: Drawing, { line, half }: Crossing, roll: Chance): void {
  const bed = line.slice(1, -1)
  const rim = [...beside(bed, (i) => half + 9 + 5 * noise(bed[i]![0], bed[i]![1], 24, 3)), ...beside(bed, (i) => -half - 9 - 5 * noise(bed[i]![0], bed[i]![1], 24, 4)).reverse()]
  on.ground.push({ d: smooth(rim), fill: mix(TONE.water, TONE.bank, 0.45), stroke: TONE.waterInk, width: 1.4, alpha: 0.95 })
  let [gravel, ripples] = ['', '']
  for (const [x, y] of resample(bed, 5, false))
    for (let k = 0; k < 5; k += 1) {
      const at: Point = [x + near(roll) * half * 0.9, y + near(roll) * half * 0.9]
      if (!inside(at[0], at[1], rim)) continue
      if (roll() < 0.8) gravel += dot(at[0], at[1])
      else ripples += `M${(at[0] - 7).toFixed(1)} ${at[1].toFixed(1)}q3.500 ${between(roll, -3, -2).toFixed(1)} 7 0t7 0`
    }
  on.ground.push({ d: gravel, stroke: TONE.stoneInk, width: 2.4, round: true, alpha: 0.55 }, { d: ripples, stroke: TONE.waterInk, width: 1.3, round: true, alpha: 0.7 })
}
