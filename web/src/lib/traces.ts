// Shots and moves of others, with the places where they happened: a unit that moved on has not fired from there.

import { centreOf } from './regions'
import type { LogLine, Point, UnitView, View } from './types'

export interface Trace {
  /** The line of the report, and the choice it came of. */
  n: number
  choice: number
  from: Point
  to: Point
  side: number
}

const whereOf = (unit: UnitView | undefined): Point | undefined => (unit && ['board', 'table'].includes(unit.status) ? (unit.places?.length ? unit.places.join(' ') : centreOf(unit)) : undefined)

/** The shots among some lines: from where the shooter stood to where the target stood. */
export function tracesOf(log: readonly LogLine[], before: View, after: View): Trace[] {
  const then = new Map(before.units.map((unit) => [unit.id, unit]))
  const now = new Map(after.units.map((unit) => [unit.id, unit]))
  const traces = new Map<string, Trace>()
  const moved = new Set<string>()
  for (const line of log) {
    const unit = String(line.data['unit'] ?? '')
    const target = String(line.data['target'] ?? '')
    if (/Moved|Placed/.test(line.kind)) moved.add(unit)
    if (!target || unit === target || !then.has(unit) || !then.has(target)) continue
    if (then.get(unit)!.side === then.get(target)!.side) continue
    // Whoever has moved in these lines before fires from where he is now; all others from where they stood.
    const from = whereOf(moved.has(unit) ? now.get(unit) : then.get(unit)) ?? whereOf(then.get(unit))
    const to = whereOf(then.get(target)) ?? whereOf(now.get(target))
    if (from !== undefined && to !== undefined) traces.set(`${unit} ${target}`, { n: line.n, choice: line.choice, from, to, side: then.get(unit)!.side })
  }
  return [...traces.values()]
}
