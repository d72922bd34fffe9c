// How a way goes: which parts of it are slow, and which forbidden, by what lies there.

import { inside, type Point } from './land/shapes'

/** How kinds of terrain are crossed by a unit; what is not named goes as open ground. */
export type Goings = ReadonlyMap<string, string>

export interface Stretch {
  going: string
  /** What makes it so. */
  name: string
  points: Point[]
}

interface Ground {
  kind: string
  name?: string
  outline: readonly (readonly number[])[]
}

const STEP = 3
const WORSE = ['', 'slow', 'no']

/** The parts of a way that are not as open ground, in their order. */
export function stretches(way: readonly (readonly number[])[], terrain: readonly Ground[], goings: Goings): Stretch[] {
  const hard = terrain.filter((piece) => goings.get(piece.kind))
  if (!hard.length) return []
  const parts: Stretch[] = []
  let last: Stretch | null = null
  for (const at of steps(way)) {
    const here = hard
      .filter((piece) => inside(at[0], at[1], piece.outline as unknown as Point[]))
      .sort((one, other) => WORSE.indexOf(goings.get(other.kind)!) - WORSE.indexOf(goings.get(one.kind)!))[0]
    const [going, name] = here ? [goings.get(here.kind)!, here.name ?? here.kind] : ['', '']
    if (last && last.going === going && last.name === name) last.points.push(at)
    else if (going) parts.push((last = { going, name, points: [at] }))
    else last = null
  }
  return parts.filter((one) => one.points.length > 1)
}

/** Points at small steps along a way. */
function* steps(way: readonly (readonly number[])[]): Generator<Point> {
  for (let i = 1; i < way.length; i += 1) {
    const [[ax, ay], [bx, by]] = [way[i - 1] as unknown as Point, way[i] as unknown as Point]
    const count = Math.max(1, Math.round(Math.hypot(bx - ax, by - ay) / STEP))
    for (let k = i === 1 ? 0 : 1; k <= count; k += 1) yield [ax + ((bx - ax) * k) / count, ay + ((by - ay) * k) / count]
  }
}

/** Strokes across a stretch, for a line that shows what it is without colour. */
export function rungs(points: readonly Point[], every: number, half: number): string {
  let [d, walked] = ['', every / 2]
  for (let i = 1; i < points.length; i += 1) {
    const [a, b] = [points[i - 1]!, points[i]!]
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1
    walked += long
    if (walked < every) continue
    walked = 0
    const [nx, ny] = [(-(b[1] - a[1]) / long) * half, ((b[0] - a[0]) / long) * half]
    d += `M${(b[0] - nx).toFixed(1)} ${(b[1] - ny).toFixed(1)}L${(b[0] + nx).toFixed(1)} ${(b[1] + ny).toFixed(1)}`
  }
  return d
}
