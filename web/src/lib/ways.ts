// From a point that somebody points at to the answer that a decision about a spot or a way wants.

import { asAnswer, hasHeading, heading, near, suggestions, type Way } from './regions'
import type { Answer, Decision } from './types'

const SHORT = 1

/** The point at most so far from another, on the line between them. */
function within(from: readonly number[], x: number, y: number, far: number): [number, number] {
  const away = Math.hypot(x - from[0]!, y - from[1]!)
  if (!far || away <= far) return [x, y]
  const share = (far - SHORT) / away
  return [Math.round(from[0]! + (x - from[0]!) * share), Math.round(from[1]! + (y - from[1]!) * share)]
}

/** A way from where the unit stands, or from the end of the way so far, to a point or as near to it as the move goes. */
export function wayTo(decision: Decision, trail: Way, x: number, y: number): Way {
  const region = decision.region ?? {}
  const snapped = trail.length ? null : near(suggestions(decision), x, y, 9)
  if (snapped) return snapped
  const start = region['start'] as number[] | undefined
  const last = decision.shape === 'path' ? (trail[trail.length - 1] ?? start) : start
  const spent = [...(start ? [start] : []), ...trail].reduce((sum, point, i, all) => sum + (i ? Math.hypot(point[0]! - all[i - 1]![0]!, point[1]! - all[i - 1]![1]!) : 0), 0)
  const reach = Number(region['reach'] ?? 0) / 10
  const left = reach ? Math.max(1, reach - (decision.shape === 'path' ? spent : 0)) : 0
  const [px, py] = last && left ? within(last, x, y, left) : [x, y]
  const where = decision.shape === 'path' ? [...trail] : []
  if (!hasHeading(decision)) return [...where, [px, py]]
  if (region['kind'] !== 'drive' || !last) return [...where, [px, py, Number(trail[trail.length - 1]?.[2] ?? region['facing'] ?? 0)]]
  return [...where, ...drive(last, px, py, Number(region['back'] ?? 0) / 10)]
}

/** A vehicle turns first and goes straight on, or backs straight away. */
function drive(from: readonly number[], x: number, y: number, back: number): Way {
  const now = from[2] ?? 0
  const turned = heading(from, [x, y])
  const off = Math.abs(((turned - now + 540) % 360) - 180)
  const far = Math.hypot(x - from[0]!, y - from[1]!)
  if (off > 150 && back) {
    const away = Math.min(far, back - SHORT)
    const angle = (now * Math.PI) / 180
    return [[Math.round(from[0]! - Math.sin(angle) * away), Math.round(from[1]! + Math.cos(angle) * away), now]]
  }
  if (off <= 1) return [[x, y, now]]
  return [[from[0]!, from[1]!, turned], [x, y, turned]]
}

/** The answer for a way. */
export const answerFor = (decision: Decision, way: Way): Answer => asAnswer(decision, way)
