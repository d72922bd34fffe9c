// What the server tells, as people say it: units of one name get a number, ids in brackets go, one of a thing is one thing.

import { endingLine } from './endings'
import { lengthsOf } from './lengths'
import type { Decision, LogLine, Option, Preview, Snapshot, UnitView, View } from './types'

/** Units that share a name on a side are distinguished by a number. */
export function named(units: readonly UnitView[]): UnitView[] {
  const seen = new Map<string, string[]>()
  for (const unit of units) {
    const key = `${unit.side} ${unit.name}`
    seen.set(key, [...(seen.get(key) ?? []), unit.id])
  }
  return units.map((unit) => {
    const alike = seen.get(`${unit.side} ${unit.name}`)!
    return alike.length > 1 ? { ...unit, name: `${unit.name} ${alike.indexOf(unit.id) + 1}` } : unit
  })
}

const ONE = /\b1 (pins|shots|hits|HITs|models|losses|actions|points|dice|suppressions|markers)\b/g
const SINGLE: Record<string, string> = { losses: 'loss', dice: 'die' }

/** A sentence without ids, with "1 pin". */
export function sentence(text: string, units: ReadonlyMap<string, { plain: string; name: string }>): string {
  return text
    .replace(/ \(([a-z]+-?\d+)\)/g, (all: string, id: string, at: number) => {
      const unit = units.get(id)
      if (!unit) return all
      const number = unit.name.slice(unit.plain.length)
      return text.slice(0, at).endsWith(unit.name) ? '' : number
    })
    .replace(/\b(\d+) ([a-z]+)\(s\)/gi, '$1 $2s')
    .replace(ONE, (_, word: string) => `1 ${SINGLE[word] ?? word.slice(0, -1)}`)
}

const COLOURS = ['blue', 'red']

/** Sides by their names: the rules' own report calls them by colours that the table need not show. */
export function sidesNamed(text: string, sides: readonly string[]): string {
  const name = (colour: string): string => sides[COLOURS.indexOf(colour)] ?? colour
  return text
    .replace(/\bholds (\d+) blue and (\d+) red dice\b/, (_, blue: string, red: string) => `holds ${blue} dice of ${name('blue')} and ${red} of ${name('red')}`)
    .replace(/\bof (blue|red)\b(?!-)/g, (_, colour: string) => `of ${name(colour)}`)
    .replace(/\b(blue|red) wins\b/g, (_, colour: string) => `${name(colour)} wins`)
}

/** Places in the measure of the game: records keep centimetres. */
export function placesIn(text: string, mm: number, mark: string): string {
  const length = (cm: string): string => `${+((Number(cm) * 10) / mm).toFixed(1)}${mark}`
  if (mm === 10) return text
  return text.replace(/\b(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?) cm\b/g, (_, x: string, y: string) => `${length(x)}, ${length(y)}`).replace(/(\d)"/g, `$1${mark}`)
}

export interface Sayer {
  (text: string): string
  /** The line that ends a game. */
  end: (line: LogLine) => string
}

export const asSaid: Sayer = Object.assign((text: string) => text, { end: (line: LogLine) => line.text })

export function sayer(view: View): Sayer {
  const all = named(view.units)
  const units = new Map(view.units.map((unit, i) => [unit.id, { plain: unit.name, name: all[i]!.name }]))
  const sides = view.sides.map((side) => side.name)
  const { mm, mark } = lengthsOf(view)
  const say = (text: string): string => placesIn(sidesNamed(sentence(text, units), sides), mm, mark)
  const end = ({ data }: LogLine): string => `The game ends: ${endingLine({ winner: (data['winner'] as number | null) ?? null, reason: String(data['reason']), kind: 'played' }, sides)}`
  return Object.assign(say, { end })
}

/** What an answer leads to, said alike. */
export function previewIn(preview: Preview, say: Sayer): Preview {
  return {
    ...preview,
    ...(preview.next ? { next: { ...preview.next, text: say(preview.next.text) } } : {}),
    ...(preview.refused ? { refused: { ...preview.refused, text: say(preview.refused.text) } } : {})
  }
}

/** Actions that are declared together, in words: "attack + get-moving" is "attack + get moving". */
export const actionsIn = (label: string): string =>
  label
    .split(' + ')
    .map((word) => (/^[a-z]+(-[a-z]+)*$/.test(word) ? word.replaceAll('-', ' ').replace(/\bsustained$/, 'sustained attack') : word))
    .join(' + ')

const option = (one: Option, say: Sayer): Option => ({ ...one, label: actionsIn(say(one.label)) })

function decision(asked: Decision, say: Sayer): Decision {
  return {
    ...asked,
    text: say(asked.text),
    ...(asked.options ? { options: asked.options.map((one) => option(one, say)) } : {}),
    ...(asked.items ? { items: asked.items.map((item) => ({ ...item, label: say(item.label), options: item.options.map((one) => option(one, say)) })) } : {}),
    ...(asked.refused ? { refused: asked.refused.map((one) => ({ ...one, reason: say(one.reason), label: say(one.label ?? '') })) } : {})
  }
}

export const lines = (log: readonly LogLine[], say: Sayer): LogLine[] =>
  log.map((line) => ({ ...line, text: line.kind === 'GameEnded' && typeof line.data['reason'] === 'string' ? say.end(line) : say(line.text) }))

/** The view with names that tell units apart, and everything said about it. */
export function readable<T extends Partial<Pick<Snapshot, 'view' | 'decision' | 'log'>>>(game: T, say: Sayer): T {
  return {
    ...game,
    ...(game.view ? { view: { ...game.view, units: named(game.view.units) } } : {}),
    ...(game.decision ? { decision: decision(game.decision, say) } : {}),
    ...(game.log ? { log: lines(game.log, say) } : {})
  }
}
