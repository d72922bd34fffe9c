// Regions of measured tables: good spots and ways that the server suggests, in one form.

import type { Answer, Decision } from './types'

/** A way of points [x, y] or [x, y, heading]; a spot is a way of one point; the empty way stays. */
export type Way = number[][]

const isPoint = (value: unknown): value is number[] => Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'number')

export function suggestions(decision: Decision): Way[] {
  const spots = (decision.region?.['spots'] ?? []) as unknown[]
  return spots.map((spot) => (isPoint(spot) ? [spot] : (spot as Way)))
}

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

/** A point in inches, for lists. */
export const inches = (point: readonly number[]): string => `${(point[0]! / 25.4).toFixed(1)}″ ${(point[1]! / 25.4).toFixed(1)}″`
