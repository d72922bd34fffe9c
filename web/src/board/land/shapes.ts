// Geometry of drawn land: chance that is the same everywhere, noise by place, outlines resampled, rounded and roughened.

export type Point = readonly [number, number]
export type Chance = () => number

/** A small repeatable die, from words. */
export function chance(words: string): Chance {
  let state = 2166136261
  for (let i = 0; i < words.length; i += 1) state = Math.imul(state ^ words.charCodeAt(i), 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
export const between = (roll: Chance, low: number, high: number): number => low + (high - low) * roll()
/** About -1 to 1, mostly near 0. */
export const near = (roll: Chance): number => roll() + roll() + roll() - 1.5

const at = (x: number, y: number, seed: number): number => {
  let h = Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(seed, 974634621)
  h = Math.imul(h ^ (h >>> 13), 1274126177)
  return ((h ^ (h >>> 16)) >>> 0) / 2147483648 - 1
}
/** Smooth noise by place, -1 to 1: two pieces that touch are roughened alike where they touch. */
export function noise(x: number, y: number, size: number, seed = 0): number {
  const [px, py] = [x / size, y / size]
  const [x0, y0] = [Math.floor(px), Math.floor(py)]
  const ease = (t: number): number => t * t * (3 - 2 * t)
  const [tx, ty] = [ease(px - x0), ease(py - y0)]
  const mix = (a: number, b: number, t: number): number => a + (b - a) * t
  return mix(mix(at(x0, y0, seed), at(x0 + 1, y0, seed), tx), mix(at(x0, y0 + 1, seed), at(x0 + 1, y0 + 1, seed), tx), ty)
}

const n = (value: number): string => String(Math.round(value * 10) / 10)
export const path = (points: readonly Point[], close = true): string => (points.length ? `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}${close ? 'Z' : ''}` : '')
export const move = (points: readonly Point[], dx: number, dy: number): Point[] => points.map(([x, y]) => [x + dx, y + dy])
export const ring = (x: number, y: number, r: number): string => `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0Z`
export const dot = (x: number, y: number): string => `M${n(x)} ${n(y)}h.01`

/** A smooth line through points. */
export function smooth(points: readonly Point[], close = true): string {
  const count = points.length
  if (count < 3) return path(points, close)
  const get = (i: number): Point => (close ? points[(i + count) % count]! : points[Math.min(count - 1, Math.max(0, i))]!)
  let d = `M${n(points[0]![0])} ${n(points[0]![1])}`
  for (let i = 0; i < (close ? count : count - 1); i += 1) {
    const [a, b, c, e] = [get(i - 1), get(i), get(i + 1), get(i + 2)]
    d += `C${n(b[0] + (c[0] - a[0]) / 6)} ${n(b[1] + (c[1] - a[1]) / 6)} ${n(c[0] - (e[0] - b[0]) / 6)} ${n(c[1] - (e[1] - b[1]) / 6)} ${n(c[0])} ${n(c[1])}`
  }
  return close ? `${d}Z` : d
}

/** Points at even steps along an outline or a line. */
export function resample(points: readonly Point[], step: number, close = true): Point[] {
  const all = close ? [...points, points[0]!] : points
  const lengths = all.slice(1).map((point, i) => Math.hypot(point[0] - all[i]![0], point[1] - all[i]![1]))
  const whole = lengths.reduce((sum, length) => sum + length, 0)
  const count = Math.max(close ? 3 : 1, Math.round(whole / step))
  const made: Point[] = []
  let [leg, walked] = [0, 0]
  for (let i = 0; i < (close ? count : count + 1); i += 1) {
    const far = (whole * i) / count
    while (leg < lengths.length - 1 && walked + lengths[leg]! < far) walked += lengths[leg++]!
    const share = lengths[leg] ? Math.min(1, (far - walked) / lengths[leg]!) : 0
    const [a, b] = [all[leg]!, all[leg + 1]!]
    made.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share])
  }
  return made
}

/** Corners worn off: each point drawn towards its neighbours, some times over. */
export function worn(points: readonly Point[], times: number): Point[] {
  let now: Point[] = [...points]
  for (let i = 0; i < times; i += 1) {
    const count = now.length
    now = now.map(([x, y], k) => {
      const [a, b] = [now[(k + count - 1) % count]!, now[(k + 1) % count]!]
      return [(a[0] + 2 * x + b[0]) / 4, (a[1] + 2 * y + b[1]) / 4]
    })
  }
  return now
}

/** Pointing out of a closed outline, by its points. */
export function outward(points: readonly Point[]): Point[] {
  const count = points.length
  const sign = area(points) > 0 ? 1 : -1
  return points.map((_, i) => {
    const [a, b] = [points[(i + count - 1) % count]!, points[(i + 1) % count]!]
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
    const long = Math.hypot(dx, dy) || 1
    return [(dy / long) * sign, (-dx / long) * sign]
  })
}
export const area = (points: readonly Point[]): number => points.reduce((sum, [x, y], i) => sum + x * points[(i + 1) % points.length]![1] - points[(i + 1) % points.length]![0] * y, 0) / 2
export const shifted = (points: readonly Point[], by: (i: number) => number): Point[] => {
  const out = outward(points)
  return points.map(([x, y], i) => [x + out[i]![0] * by(i), y + out[i]![1] * by(i)])
}

/** An outline as land has it: corners worn off, the rim uneven by up to `rough` millimetres. */
export function organic(outline: readonly Point[], rough: number, wear = 6, step = 11): Point[] {
  const points = worn(resample(outline, step), wear)
  return shifted(points, (i) => rough * (0.7 * noise(points[i]![0], points[i]![1], 46, 3) + 0.5 * noise(points[i]![0], points[i]![1], 17, 5)))
}

export function inside(x: number, y: number, outline: readonly Point[]): boolean {
  let is = false
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i, i += 1) {
    const [a, b] = [outline[i]!, outline[j]!]
    if (a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) is = !is
  }
  return is
}

/** How far a point is from an outline or a line. */
export function away(x: number, y: number, points: readonly Point[], close = true): number {
  let least = Infinity
  for (let i = close ? 0 : 1; i < points.length; i += 1) {
    const [a, b] = [points[(i + points.length - 1) % points.length]!, points[i]!]
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
    const share = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)))
    least = Math.min(least, Math.hypot(x - a[0] - dx * share, y - a[1] - dy * share))
  }
  return least
}

export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}
export const boxOf = (points: readonly Point[]): Box => ({
  x0: Math.min(...points.map(([x]) => x)),
  y0: Math.min(...points.map(([, y]) => y)),
  x1: Math.max(...points.map(([x]) => x)),
  y1: Math.max(...points.map(([, y]) => y))
})
export const middleOf = (points: readonly Point[]): Point => [points.reduce((sum, [x]) => sum + x, 0) / points.length, points.reduce((sum, [, y]) => sum + y, 0) / points.length]

/** Darts thrown into an outline that keep their distance; the larger first. */
export function darts(outline: readonly Point[], sizes: readonly (readonly [size: number, tries: number, near: number])[], roll: Chance, hem = 0.5): { x: number; y: number; r: number }[] {
  const box = boxOf(outline)
  const placed: { x: number; y: number; r: number }[] = []
  const ground = ((box.x1 - box.x0) * (box.y1 - box.y0)) / 10_000
  for (const [size, tries, overlap] of sizes)
    for (let i = 0; i < tries * ground; i += 1) {
      const [x, y] = [between(roll, box.x0, box.x1), between(roll, box.y0, box.y1)]
      const r = size * between(roll, 0.84, 1.16)
      if (!inside(x, y, outline) || placed.some((one) => Math.hypot(one.x - x, one.y - y) < (one.r + r) * overlap) || away(x, y, outline) < r * hem) continue
      placed.push({ x, y, r })
    }
  return placed
}

/** The middle line of a long piece, with its half width; null where a piece is not a strip. */
export function spine(outline: readonly Point[]): { line: Point[]; half: number } | null {
  const corners = dedupe(outline)
  const count = corners.length
  if (count % 2) return null
  const half = count / 2
  let best: { line: Point[]; half: number; uneven: number } | null = null
  for (let turn = 0; turn < half; turn += 1) {
    const get = (i: number): Point => corners[(i + turn) % count]!
    const pairs = Array.from({ length: half }, (_, i) => [get(i), get(count - 1 - i)] as const)
    const widths = pairs.map(([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]))
    const line = pairs.map(([a, b]): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2])
    const long = line.slice(1).reduce((sum, point, i) => sum + Math.hypot(point[0] - line[i]![0], point[1] - line[i]![1]), 0)
    const wide = widths.reduce((sum, width) => sum + width, 0) / half
    const uneven = (Math.max(...widths) - Math.min(...widths)) / wide
    if (long < wide * 1.4 || uneven > 0.8) continue
    const score = uneven + wide / long
    if (!best || score < best.uneven) best = { line, half: wide / 2, uneven: score }
  }
  return best && { line: best.line, half: best.half }
}
const dedupe = (points: readonly Point[]): Point[] => points.filter((point, i) => Math.hypot(point[0] - points[(i + 1) % points.length]![0], point[1] - points[(i + 1) % points.length]![1]) > 0.5)

/** Beside a line, as far as `by` says. */
export function beside(line: readonly Point[], by: (i: number) => number): Point[] {
  return line.map(([x, y], i) => {
    const [a, b] = [line[Math.max(0, i - 1)]!, line[Math.min(line.length - 1, i + 1)]!]
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1
    return [x - ((b[1] - a[1]) / long) * by(i), y + ((b[0] - a[0]) / long) * by(i)]
  })
}

/** A scalloped round, as a crown or a bush has it. */
export function scallops(x: number, y: number, r: number, lobes: number, roll: Chance, depth = 0.13): string {
  const turn = roll() * 6.283
  const rim = Array.from({ length: lobes }, (_, i): Point => {
    const far = r * (1 + between(roll, -depth, depth))
    return [x + far * Math.cos(turn + (i * 6.2832) / lobes), y + far * Math.sin(turn + (i * 6.2832) / lobes)]
  })
  return `${rim.reduce((d, b, i) => {
    const a = rim[(i + lobes - 1) % lobes]!
    const bow = Math.hypot(b[0] - a[0], b[1] - a[1]) * 0.56
    return i === 0 ? `M${n(b[0])} ${n(b[1])}` : `${d}A${n(bow)} ${n(bow)} 0 0 1 ${n(b[0])} ${n(b[1])}`
  }, '')}A${n(r * 0.5)} ${n(r * 0.5)} 0 0 1 ${n(rim[0]![0])} ${n(rim[0]![1])}Z`
}

/** A stone: a few corners round a point. */
export function stone(x: number, y: number, r: number, roll: Chance): Point[] {
  const count = 5 + Math.floor(roll() * 3)
  const turn = roll() * 6.283
  return Array.from({ length: count }, (_, i): Point => {
    const a = turn + ((i + between(roll, -0.3, 0.3)) * 6.2832) / count
    const far = r * between(roll, 0.75, 1.1)
    return [x + far * Math.cos(a), y + far * Math.sin(a)]
  })
}

/** The outline round some points. */
export function hullOf(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (all: readonly Point[]): Point[] => {
    const kept: Point[] = []
    for (const p of all) {
      while (kept.length > 1) {
        const [a, b] = [kept[kept.length - 2]!, kept[kept.length - 1]!]
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break
        kept.pop()
      }
      kept.push(p)
    }
    return kept.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.reverse())]
}

/** A smooth line through points, evenly sampled. */
export function curve(points: readonly Point[], step: number): Point[] {
  const get = (i: number): Point => points[Math.min(points.length - 1, Math.max(0, i))]!
  const fine: Point[] = []
  for (let i = 0; i < points.length - 1; i += 1) {
    const [a, b, c, d] = [get(i - 1), get(i), get(i + 1), get(i + 2)]
    for (let k = 0; k < 16; k += 1) {
      const t = k / 16
      const at = (n: 0 | 1): number => 0.5 * (2 * b[n] + (c[n] - a[n]) * t + (2 * a[n] - 5 * b[n] + 4 * c[n] - d[n]) * t * t + (3 * b[n] - a[n] - 3 * c[n] + d[n]) * t * t * t)
      fine.push([at(0), at(1)])
    }
  }
  return resample([...fine, points[points.length - 1]!], step, false)
}

/** Strips that follow one another as one strip, its bends smooth or sharp; null where they do not make a line. */
export function chained(outlines: readonly (readonly Point[])[], bends: 'smooth' | 'sharp'): Point[] | null {
  const strips = outlines.map(spine)
  if (outlines.length < 2 || strips.some((one) => !one)) return null
  const apart = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1])
  const half = strips[0]!.half
  // Each leg runs a little beyond its ends, so legs that meet overlap.
  const reach = half * 2.8
  const ends = (one: { line: Point[] }): [Point, Point] => [one.line[0]!, one.line[one.line.length - 1]!]
  const [first, second] = [ends(strips[0]!), ends(strips[1]!)]
  const forward = Math.min(...second.map((point) => apart(first[1], point))) <= Math.min(...second.map((point) => apart(first[0], point)))
  const line: Point[] = forward ? [...strips[0]!.line] : [...strips[0]!.line].reverse()
  for (const one of strips.slice(1)) {
    const end = line.pop()!
    const [a, b] = ends(one!)
    const leg = apart(end, a) <= apart(end, b) ? [...one!.line] : [...one!.line].reverse()
    const start = leg.shift()!
    if (apart(end, start) > reach) return null
    line.push([(end[0] + start[0]) / 2, (end[1] + start[1]) / 2], ...leg)
  }
  const way = bends === 'smooth' ? curve(line, 14) : line
  return [...beside(way, () => half), ...beside(way, () => -half).reverse()]
}
