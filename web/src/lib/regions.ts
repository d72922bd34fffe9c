// Regions of measured tables: good spots and ways that the server suggests, in one form.

import { lengthText, type Lengths } from './lengths'
import type { Answer, Decision, MeasuredView, UnitView } from './types'

/** A way of points [x, y] or [x, y, heading]; a spot is a way of one point; the empty way stays. */
export type Way = number[][]

const isPoint = (value: unknown): value is number[] => Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'number')

export function suggestions(decision: Decision): Way[] {
  const spots = (decision.region?.['spots'] ?? []) as unknown[]
  return spots.map((spot) => (isPoint(spot) ? [spot] : (spot as Way)))
}

/** A template that a region lays where one points: a disc, a band from somewhere, or both; in millimetres. */
export interface Template {
  radius?: number
  from?: number[]
  width?: number
}

export const templateOf = (decision: Decision): Template | null => (decision.region?.['template'] as Template | undefined) ?? null

/** The suggestion that ends nearest to a point, if it is near enough. */
export function near(ways: readonly Way[], x: number, y: number, within = 24): Way | null {
  let best: Way | null = null
  let nearest = within
  for (const way of ways) {
    const end = way[way.length - 1]
    if (!end) continue
    const far = Math.hypot(end[0]! - x, end[1]! - y)
    if (far < nearest) {
      nearest = far
      best = way
    }
  }
  return best
}

/** The middle of a unit on a measured table. */
export function centreOf(unit: UnitView): number[] | undefined {
  if (unit.hull) return [unit.hull.x, unit.hull.y]
  const models = unit.models ?? []
  if (!models.length) return undefined
  return [models.reduce((sum, one) => sum + one.x, 0) / models.length, models.reduce((sum, one) => sum + one.y, 0) / models.length].map(Math.round)
}

/** Is a point inside an outline? */
export function isInside(outline: readonly (readonly number[])[], x: number, y: number): boolean {
  let inside = false
  outline.forEach(([ax, ay], n) => {
    const [bx, by] = outline[(n + 1) % outline.length]!
    if (ay! > y !== by! > y && x < ((bx! - ax!) * (y - ay!)) / (by! - ay!) + ax!) inside = !inside
  })
  return inside
}

/** The kinds of terrain under a point. */
export const terrainAt = (table: MeasuredView, x: number, y: number): string[] =>
  [...new Set(table.terrain.filter((piece) => isInside(piece.outline, x, y)).map((piece) => piece.name ?? piece.kind))]

/** The heading from one point to another: whole degrees clockwise, 0 up the page. */
export function heading(from: readonly number[], to: readonly number[]): number {
  const angle = (Math.atan2(to[0]! - from[0]!, from[1]! - to[1]!) * 180) / Math.PI
  return ((Math.round(angle) % 360) + 360) % 360
}

/** Do points of this decision carry a heading? */
export function hasHeading(decision: Decision): boolean {
  const first = suggestions(decision).find((way) => way.length)?.[0]
  return (first?.length ?? (decision.region?.['kind'] === 'drive' ? 3 : 2)) > 2
}

/** A way as the answer that the decision's shape wants. */
export const asAnswer = (decision: Decision, way: Way): Answer => (decision.shape === 'place-free' ? (way[way.length - 1] ?? []) : way)

/** A point in the lengths of the game, for lists. */
export const spotName = (point: readonly number[], lengths: Lengths): string => `${lengthText(lengths, point[0]! / lengths.mm)} ${lengthText(lengths, point[1]! / lengths.mm)}`
