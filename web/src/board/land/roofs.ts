// Roofs: gabled or hipped, of tiles, slates or thatch, the lit slopes lighter; concrete slabs.

import { between, middleOf, near, path, resample, shifted, dot, inside, type Chance, type Point } from './shapes'
import { cast, LAMP, mix, TONE, type Paint } from './tones'

export interface Frame {
  /** From the middle along the long side and across it. */
  to: (u: number, v: number) => Point
  half: Point
}

const EAVES = 8
const COVERS = [
  { tone: '#b9714f', ink: TONE.roofInk, row: 9, tile: 12 },
  { tone: '#a8604a', ink: TONE.roofInk, row: 9, tile: 12 },
  { tone: '#b58452', ink: '#5c3a1c', row: 9, tile: 12 },
  { tone: '#878378', ink: '#3b3a36', row: 7, tile: 10 },
  { tone: '#c2a763', ink: '#6f5520', row: 12, tile: 0 }
] as const

const areaOf = (points: readonly Point[]): number => Math.abs(points.reduce((sum, [x, y], i) => sum + x * points[(i + 1) % points.length]![1] - points[(i + 1) % points.length]![0] * y, 0) / 2)

/** How much a slope lies in the shade, 0 to 1, by the middle of its foot. */
const shadeOf = ([fx, fy]: Point, [cx, cy]: Point): number => {
  const [dx, dy] = [fx - cx, fy - cy]
  return ((dx * LAMP[0] + dy * LAMP[1]) / (Math.hypot(dx, dy) || 1) + 1) / 2
}

/** A roof over an outline. */
export function roof(outline: readonly Point[], frame: Frame, roll: Chance, floors: number): Paint[] {
  const [X, Y] = frame.half
  const cover = COVERS[Math.floor(roll() * (floors > 1 ? 4 : 5))]!
  const tone = mix(cover.tone, '#d8c29a', roll() * 0.22)
  if (Math.abs(4 * X * Y - areaOf(outline)) > 0.08 * areaOf(outline)) {
    const rim = shifted(resample(outline, 8), () => EAVES / 2)
    const courses = [8, 22, 36, 50, 64].map((depth) => path(shifted(resample(outline, 8), () => -depth))).slice(0, Math.max(1, Math.floor(Y / 18)))
    return [{ d: path(rim), fill: tone, stroke: TONE.wall, width: 2 }, { d: courses.join(''), stroke: cover.ink, width: 1.1, alpha: 0.5 }]
  }
  const [U, V] = [X + EAVES, Y + EAVES]
  // A hipped roof has a ridge that ends before the walls; a gabled one runs from end to end.
  const hip = X > Y * 1.05 ? [0, V * 0.92, V * 0.45][Math.floor(roll() * 3)]! : roll() < 0.5 ? V * 0.9 : 0
  const ridge: [Point, Point] = [frame.to(-U + hip, 0), frame.to(U - hip, 0)]
  const corner = (u: number, v: number): Point => frame.to(u * U, v * V)
  const slopes: Point[][] = [[corner(-1, -1), corner(1, -1), ridge[1], ridge[0]], [corner(1, 1), corner(-1, 1), ridge[0], ridge[1]]]
  if (hip) slopes.push([corner(1, -1), corner(1, 1), ridge[1]], [corner(-1, 1), corner(-1, -1), ridge[0]])
  const centre = frame.to(0, 0)
  const paints: Paint[] = []
  for (const slope of slopes) {
    const foot: Point = [(slope[0]![0] + slope[1]![0]) / 2, (slope[0]![1] + slope[1]![1]) / 2]
    const dark = shadeOf(foot, centre)
    paints.push({ d: path(slope), fill: mix(mix(tone, '#f0d8ae', 0.14 * (1 - dark)), '#33190d', 0.36 * dark), stroke: TONE.wall, width: 1.8 })
    paints.push({ d: courses(slope, cover.row, cover.tile, roll), stroke: cover.ink, width: 1.05, alpha: 0.5 })
  }
  paints.push({ d: patches(outline, roll), stroke: mix(tone, TONE.moss, 0.55), width: 4.6, round: true, alpha: 0.5 })
  paints.push({ d: path(ridge, false), stroke: TONE.wall, width: 4 }, { d: path(ridge, false), stroke: mix(tone, '#f3dfb6', 0.3), width: 1.8, dash: [6, 2] })
  return [...paints, ...chimney(frame, X * between(roll, 0.15, 0.55) * (roll() < 0.5 ? 1 : -1), Y * between(roll, 0.18, 0.4) * (roll() < 0.5 ? 1 : -1))]
}

/** Rows of tiles on one slope, parallel to its foot; straight strokes of thatch where there are no tiles. */
function courses(slope: readonly Point[], row: number, tile: number, roll: Chance): string {
  const [a, b] = [slope[0]!, slope[1]!]
  const top: [Point, Point] = slope.length === 4 ? [slope[3]!, slope[2]!] : [slope[2]!, slope[2]!]
  const deep = Math.hypot((top[0][0] + top[1][0]) / 2 - (a[0] + b[0]) / 2, (top[0][1] + top[1][1]) / 2 - (a[1] + b[1]) / 2)
  const between_ = (p: Point, q: Point, share: number): Point => [p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share]
  const level = (share: number): [Point, Point] => [between_(a, top[0], share), between_(b, top[1], share)]
  const count = Math.floor(deep / row)
  let d = ''
  for (let k = 0; k <= count; k += 1) {
    const [l, r] = level((k * row) / deep)
    const [l2, r2] = level(Math.min(1, ((k + 1) * row) / deep))
    const long = Math.hypot(r[0] - l[0], r[1] - l[1])
    if (k && tile) d += path([l, r], false)
    const apart = tile || 5
    for (let u = (k % 2 ? apart / 2 : apart) + (tile ? 0 : near(roll) * 2); u < long - 2; u += apart) {
      if (!tile && roll() < 0.35) continue
      d += path([between_(l, r, u / long), between_(l2, r2, Math.min(1, Math.max(0, u / long + (tile ? 0 : near(roll) * 0.01))))], false)
    }
  }
  return d
}

/** Moss and mended places. */
function patches(outline: readonly Point[], roll: Chance): string {
  const [cx, cy] = middleOf(outline)
  return outline
    .flatMap((corner) => Array.from({ length: 3 }, (): Point => {
      const share = between(roll, 0.35, 0.85)
      return [cx + (corner[0] - cx) * share + near(roll) * 12, cy + (corner[1] - cy) * share + near(roll) * 12]
    }))
    .filter(([x, y]) => inside(x, y, outline))
    .map(([x, y]) => dot(x, y) + dot(x + near(roll) * 5, y + near(roll) * 5))
    .join('')
}

function chimney(frame: Frame, u: number, v: number): Paint[] {
  const stack = [[-7, -6], [7, -6], [7, 6], [-7, 6]].map(([du, dv]): Point => frame.to(u + du!, v + dv!))
  const [cx, cy] = middleOf(stack)
  return [
    { d: cast(stack, 15), fill: TONE.shadow, alpha: 0.38 },
    { d: path(stack), fill: '#c9b79a', stroke: TONE.wall, width: 1.7 },
    { d: path(stack.map(([x, y]): Point => [cx + (x - cx) * 0.5, cy + (y - cy) * 0.45])), fill: TONE.wall }
  ]
}

/** A concrete roof: a bevelled slab. */
export function slab(outline: readonly Point[], frame: Frame): Paint[] {
  const [cx, cy] = middleOf(outline)
  const inner = outline.map(([x, y]): Point => [cx + (x - cx) * 0.76, cy + (y - cy) * 0.76])
  const vent = [[-7, -7], [7, -7], [7, 7], [-7, 7]].map(([u, v]): Point => frame.to(u!, v!))
  return [{ d: path(outline), fill: TONE.concrete, stroke: TONE.wall, width: 2.4 }, { d: outline.map((point, i) => path([point, inner[i]!], false)).join(''), stroke: TONE.stoneInk, width: 1.3 }, { d: path(inner), fill: mix(TONE.concrete, TONE.bone, 0.25), stroke: TONE.stoneInk, width: 1.4 }, { d: path(vent), fill: TONE.stoneInk }]
}
