// What the server tells, as people say it: units of one name get a number, ids in brackets go, one of a thing is one thing.

import type { Decision, LogLine, Option, Snapshot, UnitView, View } from './types'

/** Units that share a name on a side are told apart by a number. */
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

export type Sayer = (text: string) => string

export function sayer(view: View): Sayer {
  const units = new Map(view.units.map((unit, i) => [unit.id, { plain: unit.name, name: named(view.units)[i]!.name }]))
  return (text) => sentence(text, units)
}

const option = (one: Option, say: Sayer): Option => ({ ...one, label: say(one.label) })

function decision(asked: Decision, say: Sayer): Decision {
  return {
    ...asked,
    text: say(asked.text),
    ...(asked.options ? { options: asked.options.map((one) => option(one, say)) } : {}),
    ...(asked.items ? { items: asked.items.map((item) => ({ ...item, label: say(item.label), options: item.options.map((one) => option(one, say)) })) } : {}),
    ...(asked.refused ? { refused: asked.refused.map((one) => ({ ...one, reason: say(one.reason), label: say(one.label ?? '') })) } : {})
  }
}

export const lines = (log: readonly LogLine[], say: Sayer): LogLine[] => log.map((line) => ({ ...line, text: say(line.text) }))

/** The view with names that tell units apart, and everything said about it. */
export function readable<T extends Partial<Pick<Snapshot, 'view' | 'decision' | 'log'>>>(game: T, say: Sayer): T {
  return {
    ...game,
    ...(game.view ? { view: { ...game.view, units: named(game.view.units) } } : {}),
    ...(game.decision ? { decision: decision(game.decision, say) } : {}),
    ...(game.log ? { log: lines(game.log, say) } : {})
  }
}
