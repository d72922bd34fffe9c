// A measured table as a scene: every piece of terrain grown out of its outline and its name, the same wherever it is drawn.
// Lengths are millimetres. What gives way to models (crowns, roofs) is kept apart from what never changes.

import { known, layered } from '../measured'
import { crossings } from './crossings'
import { roof, slab, type Frame } from './roofs'
import { cast, fallen, LAMP, mix, TONE, type Paint } from './tones'
import {
  away, beside, between, boxOf, chained, chance, curve, darts, dot, inside, middleOf, near, noise, organic, path, resample, ring, scallops, shifted, smooth, spine, stone, worn,
  type Box, type Chance, type Point
} from './shapes'

/** A soft patch of tone. */
export interface Patch {
  x: number
  y: number
  r: number
  fill: string
  alpha: number
}

/** Something that stands up: it gives way where models stand. */
export interface Crown {
  x: number
  y: number
  r: number
  shade: string
  paints: Paint[]
}

export interface Roof {
  /** The piece it covers: it comes off while somebody is inside. */
  piece: string
  outline: readonly Point[]
  shade: string
  paints: Paint[]
}

export interface Scene {
  width: number
  height: number
  patches: Patch[]
  ground: Paint[]
  low: Paint[]
  /** All shadows as one shape, so that they never darken one another. */
  shade: string
  high: Paint[]
  crowns: Crown[]
  roofs: Roof[]
  smoke: { patches: Patch[]; paints: Paint[] }
}

export interface Land {
  kind: string
  outline: readonly (readonly number[])[]
  name?: string
  floors?: number
  /** Doors and windows: two ends each, and 1 for a door. */
  openings?: readonly (readonly number[])[]
}

export class Drawing {
  readonly patches: Patch[] = []
  readonly ground: Paint[] = []
  readonly low: Paint[] = []
  readonly high: Paint[] = []
  readonly crowns: Crown[] = []
  readonly roofs: Roof[] = []
  readonly smoke: Scene['smoke'] = { patches: [], paints: [] }
  shade = ''

  constructor(
    readonly width: number,
    readonly height: number
  ) {}

  /** Outlines that reach the edge of the table run over it. */
  over(points: readonly Point[], true_: readonly Point[]): Point[] {
    const edge = (x: number, y: number): [number, number] => [x <= 1.5 ? -18 : x >= this.width - 1.5 ? this.width + 18 : x, y <= 1.5 ? -18 : y >= this.height - 1.5 ? this.height + 18 : y]
    return points.map(([x, y], i) => {
      const [tx, ty] = true_[i] ?? [x, y]
      const [ex, ey] = edge(tx, ty)
      return [ex === tx ? x : ex, ey === ty ? y : ey]
    })
  }
  /** As `organic`, but running over the table's edge. */
  grown(outline: readonly Point[], rough: number, wear: number): Point[] {
    const even = resample(outline, 11)
    return this.over(organic(outline, rough, wear), even)
  }
}

// -- plants ------------------------------------------------------------------------------------------

function crown(x: number, y: number, r: number, roll: Chance, fir: boolean): Crown {
  const tone = mix(TONE.trees, [TONE.litter, TONE.leaf, '#7d9460', '#66834e'][Math.floor(roll() * 4)]!, between(roll, 0.2, 0.9))
  if (fir) {
    const points = Math.round(9 + r * 0.2)
    const rim = Array.from({ length: points * 2 }, (_, i): Point => {
      const far = r * (i % 2 ? 0.68 : 1) * between(roll, 0.93, 1.05)
      return [x + far * Math.cos((i * Math.PI) / points), y + far * Math.sin((i * Math.PI) / points)]
    })
    const ribs = rim.filter((_, i) => i % 2 === 0).map(([px, py]) => path([[x, y], [x + (px - x) * 0.62, y + (py - y) * 0.62]], false)).join('')
    const green = mix(TONE.fir, tone, 0.25)
    return {
      x, y, r, shade: path(fallen(rim, 0.5 * r + 5)),
      paints: [{ d: path(rim), fill: green, stroke: TONE.treesInk, width: 1.7 }, { d: ribs, stroke: TONE.treesInk, width: 1.2, alpha: 0.75 }, { d: ring(x - LAMP[0] * 0.12 * r, y - LAMP[1] * 0.12 * r, 0.1 * r + 0.8), fill: '#a9bb84' }]
    }
  }
  const lobes = Math.round(6 + r * 0.16)
  const seed = `${x} ${y}`
  const stipple = Array.from({ length: Math.round(4 + r * 0.5) }, () => {
    const a = Math.atan2(LAMP[1], LAMP[0]) + near(roll) * 1.1
    const far = r * between(roll, 0.35, 0.9)
    return dot(x + far * Math.cos(a), y + far * Math.sin(a))
  }).join('')
  const fall = 0.42 * r + 5.5
  return {
    x, y, r, shade: scallops(x + LAMP[0] * fall, y + LAMP[1] * fall, r, lobes, chance(seed)),
    paints: [
      { d: scallops(x, y, r, lobes, chance(seed)), fill: tone, stroke: TONE.treesInk, width: 2 },
      { d: scallops(x - LAMP[0] * r * 0.22, y - LAMP[1] * r * 0.22, r * 0.6, Math.max(5, lobes - 2), roll), fill: mix(tone, TONE.glint, 0.3), alpha: 0.85 },
      { d: stipple, stroke: TONE.treesInk, width: 2.5, round: true }
    ]
  }
}

function wood(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const rim = on.grown(outline, 12, 13)
  on.low.push({ d: smooth(rim), fill: TONE.floor, alpha: 0.78 }, { d: smooth(rim), stroke: TONE.treesInk, width: 1.9, dash: [1.5, 6], round: true, alpha: 0.8 })
  const box = boxOf(rim)
  let litter = ''
  for (let i = 0; i < ((box.x1 - box.x0) * (box.y1 - box.y0)) / 130; i += 1) {
    const [x, y] = [between(roll, box.x0, box.x1), between(roll, box.y0, box.y1)]
    if (inside(x, y, rim)) litter += `M${x.toFixed(1)} ${y.toFixed(1)}l${between(roll, -4, 4).toFixed(1)} ${between(roll, -2.5, 2.5).toFixed(1)}`
  }
  on.low.push({ d: litter, stroke: TONE.litter, width: 1.2, alpha: 0.55 })
  const placed = darts(rim, [[32, 14, 0.84], [25, 24, 0.82], [18, 34, 0.86], [11.5, 40, 0.92]], roll)
  for (const [x, y] of resample(rim, 20)) {
    const r = between(roll, 5.5, 10.5)
    const [px, py] = [x + near(roll) * 4, y + near(roll) * 4]
    if (roll() < 0.72 && placed.every((one) => Math.hypot(one.x - px, one.y - py) > (one.r + r) * 0.8)) placed.push({ x: px, y: py, r })
  }
  placed.sort((a, b) => Number(a.r > 12) - Number(b.r > 12) || a.y - b.y)
  for (const one of placed) on.crowns.push(crown(one.x, one.y, one.r, roll, one.r > 14 && roll() < 0.2))
}

function bushes(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const rim = on.grown(outline, 8, 6)
  on.low.push({ d: smooth(rim), fill: TONE.moss, alpha: 0.8 }, { d: smooth(rim), stroke: TONE.treesInk, width: 1.4, dash: [1.2, 7], round: true, alpha: 0.7 })
  for (const one of darts(rim, [[12, 14, 1.1], [7.5, 24, 1.15], [4.5, 20, 1.2]], roll)) on.crowns.push(crown(one.x, one.y, one.r, roll, false))
}

function hedge(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const strip = spine(outline)
  const line = strip ? resample(strip.line, 10, false) : resample(outline, 10)
  const half = Math.max(6, Math.min(12, strip?.half ?? 8))
  let dots = ''
  for (const [x, y] of line) {
    const [px, py] = [x + near(roll) * 2, y + near(roll) * 2]
    const r = half * between(roll, 0.95, 1.35)
    const seed = `${px} ${py}`
    on.shade += scallops(px + LAMP[0] * 9, py + LAMP[1] * 9, r, 7, chance(seed))
    on.high.push({ d: scallops(px, py, r, 7, chance(seed)), fill: mix('#5f7d48', '#7d9460', roll()), stroke: TONE.treesInk, width: 1.8 })
    dots += dot(px + near(roll) * r * 0.5 + 2, py + near(roll) * r * 0.5 + 2)
  }
  on.high.push({ d: dots, stroke: TONE.treesInk, width: 2.6, round: true })
}

/** Rows of wheat with ears, tramlines between them. */
function field(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const rim = on.grown(outline, 6, 5)
  on.low.push({ d: smooth(fallen(rim, 5)), fill: '#6b5320', alpha: 0.3 }, { d: smooth(rim), fill: TONE.wheat })
  const box = boxOf(rim)
  const upright = box.y1 - box.y0 >= box.x1 - box.x0
  const [from, to, along, end] = upright ? [box.x0, box.x1, box.y0, box.y1] : [box.y0, box.y1, box.x0, box.x1]
  const put = (a: number, b: number): Point => (upright ? [a, b] : [b, a])
  let [rows, tracks, ears] = ['', '', '']
  let i = 0
  for (let a = from + 5; a < to; a += 9.6, i += 1) {
    const track = i % 11 === 5 || i % 11 === 6
    let run: Point[] = []
    const flush = (): void => {
      if (run.length > 1) track ? (tracks += path(run, false)) : (rows += path(run, false))
      run = []
    }
    for (let b = along; b < end; b += 9) {
      const [x, y] = put(a + 3 * noise(i, b, 60, 9), b)
      if (!inside(x, y, rim)) flush()
      else {
        run.push([x, y])
        if (!track) ears += `M${x.toFixed(1)} ${(y + near(roll)).toFixed(1)}l-3 -5.2m3 5.2l3 -5.2m-3 5.2v-6.2`
      }
    }
    flush()
  }
  on.low.push({ d: rows, stroke: '#c9a95c', width: 4.8, alpha: 0.55 }, { d: tracks, stroke: TONE.stubble, width: 7 }, { d: ears, stroke: TONE.wheatInk, width: 1.3, round: true, alpha: 0.8 }, { d: smooth(rim), stroke: TONE.wheatInk, width: 1.9 })
}

// -- ground -------------------------------------------------------------------------------------------

function hill(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const base = on.grown(outline, 9, 34)
  const [cx, cy] = middleOf(base)
  const rings = [1, 0.68, 0.38].map((size, k) => worn(base, k * 26).map(([x, y]): Point => [cx - k * 5 + (x - cx) * size * (1 + 0.05 * noise(x, y, 60, k)), cy - k * 4 + (y - cy) * size * (1 + 0.05 * noise(y, x, 60, k))]))
  on.low.push({ d: smooth(fallen(base, 9)), fill: '#8d7a48', alpha: 0.16 })
  rings.forEach((points, k) => on.low.push({ d: smooth(points), fill: mix(TONE.hill, TONE.summit, k / 2), alpha: 0.9 }))
  rings.forEach((points, k) => {
    const foot = resample(points, k < 2 ? 4.4 : 5)
    const out = shifted(foot, () => 1).map(([x, y], i): Point => [x - foot[i]![0], y - foot[i]![1]])
    let d = ''
    foot.forEach(([x, y], i) => {
      const [ox, oy] = out[i]!
      const dark = (ox * LAMP[0] + oy * LAMP[1] + 1) / 2
      if (roll() > 0.45 + 0.6 * dark) return
      const long = [23, 20, 12][k]! * between(roll, 0.6, 1.05) * (0.6 + 0.6 * dark)
      const half = 0.55 + 1.4 * dark
      const [hx, hy] = [x - ox * long, y - oy * long]
      d += path([[hx - oy * half, hy + ox * half], [x - ox * 2 * roll(), y - oy * 2 * roll()], [hx + oy * half, hy - ox * half]])
    })
    on.low.push({ d, fill: TONE.earth, alpha: 0.8 }, { d: smooth(points), stroke: TONE.earth, width: 1.2, alpha: 0.35 })
  })
}

/** An outline moved by the noise of its places: pieces that touch stay in touch. */
export const uneven = (outline: readonly Point[], by: number): Point[] => resample(outline, 11).map(([x, y]): Point => [x + by * noise(x, y, 44, 21), y + by * noise(x, y, 44, 22)])

/** All roads together: shoulders, inks, surfaces, then ruts, so that junctions are open. */
function roads(on: Drawing, outlines: readonly (readonly Point[])[], roll: Chance): void {
  const grown = outlines.map((outline) => on.over(uneven(outline, 2.6), resample(outline, 11)))
  for (const rim of grown) on.ground.push({ d: path(rim), fill: TONE.shoulder, stroke: TONE.shoulder, width: 19 })
  for (const rim of grown) on.ground.push({ d: path(rim), stroke: TONE.roadInk, width: 5.4 })
  for (const rim of grown) on.ground.push({ d: path(rim), fill: TONE.road, stroke: TONE.road, width: 2.4 })
  let [pebbles, tufts] = ['', '']
  for (const outline of outlines) {
    const strip = spine(outline)
    if (!strip) continue
    const line = resample(strip.line, 12, false)
    for (const side of [-0.46, 0.46]) {
      const rut = beside(line, (i) => strip.half * side + 2 * noise(line[i]![0], line[i]![1], 50, side > 0 ? 1 : 2))
      on.ground.push({ d: smooth(rut, false), stroke: TONE.rut, width: Math.min(7, strip.half * 0.22), alpha: 0.55, dash: [95, 11, 190, 8, 54, 19] }, { d: smooth(rut, false), stroke: TONE.roadInk, width: 1.5, alpha: 0.7, dash: [28, 10, 66, 14, 11, 8] })
    }
    const rim = beside(line, () => strip.half + between(roll, 2, 10)).concat(beside(line, () => -strip.half - between(roll, 2, 10)))
    for (const [x, y] of rim) if (roll() < 0.5) pebbles += dot(x + near(roll) * 4, y + near(roll) * 4)
    for (const [x, y] of line) if (roll() < 0.35) tufts += `M${x.toFixed(1)} ${(y + near(roll) * 4).toFixed(1)}l-1.6 -4.8m3.8 4.8l1 -5.4`
  }
  on.ground.push({ d: pebbles, stroke: TONE.roadInk, width: 2.8, round: true, alpha: 0.6 }, { d: tufts, stroke: TONE.tuft, width: 1.2 })
}

/** An outline of water: moved by the noise of its places where it touches other water, so that one river stays one; else worn round. */
function shore(on: Drawing, outline: readonly Point[], others: readonly (readonly Point[])[]): Point[] {
  const touches = others.some((other) => outline.some(([x, y]) => away(x, y, other) < 1.5) || other.some(([x, y]) => away(x, y, outline) < 1.5))
  if (!touches) return on.grown(outline, 9, spine(outline) ? 8 : 20)
  const even = resample(outline, 11)
  return on.over(even.map(([x, y]): Point => [x + 9 * noise(x, y, 70, 31) + 4 * noise(x, y, 26, 32), y + 11 * noise(x, y, 80, 33) + 4 * noise(x, y, 26, 34)]), even)
}

/** All water together: sandy banks with hachures, the water, its flow lines, the shadow of the lit bank, reeds; gravel where it is shallow. */
function waters(on: Drawing, pieces: readonly Shaped[], roll: Chance): void {
  const outlines = pieces.map((one) => one.outline)
  const grown = outlines.map((outline) => shore(on, outline, outlines.filter((other) => other !== outline)))
  for (const rim of grown) on.ground.push({ d: smooth(shifted(rim, (i) => 12 + 3 * noise(rim[i]![0], rim[i]![1], 22, 8))), fill: TONE.bank, alpha: 0.75 })
  let [hachures, reeds] = ['', '']
  grown.forEach((rim) => {
    const banks = resample(rim, 6.5)
    const out = shifted(banks, () => 1)
    banks.forEach(([x, y], i) => {
      if (x < 0 || y < 0 || x > on.width || y > on.height || grown.some((other) => other !== rim && (inside(x, y, other) || away(x, y, other) < 4))) return
      const [ox, oy] = [out[i]![0] - x, out[i]![1] - y]
      const long = between(roll, 4, 10)
      if (roll() < 0.8) hachures += path([[x, y], [x + ox * long, y + oy * long]], false)
      if (roll() < 0.13) reeds += `M${x.toFixed(1)} ${y.toFixed(1)}l-2.4 -8m4.6 8l.6 -10.4m1.8 10.4l3.200 -7.400`
    })
  })
  on.ground.push({ d: hachures, stroke: TONE.earth, width: 1.4, alpha: 0.7 })
  for (const rim of grown) on.ground.push({ d: smooth(rim), stroke: TONE.waterInk, width: 4.4 })
  for (const rim of grown) on.ground.push({ d: smooth(rim), fill: TONE.water, stroke: TONE.water, width: 1.2 })
  // The bank next to the lamp throws its shadow on the water.
  for (const rim of grown.filter((one) => !grown.some((other) => other !== one && one.some(([x, y]) => away(x, y, other) < 4)))) on.ground.push({ d: `${smooth(rim)}${smooth(fallen(shifted(rim, () => -3), 7))}`, fill: TONE.waterInk, alpha: 0.13, hollow: true })
  pieces.forEach(({ piece, outline }, k) => {
    const strip = spine(outline)
    if (/shallow|ford/.test(piece.kind)) return shallows(on, grown[k]!, roll)
    if (strip) {
      const line = resample(strip.line, 12, false)
      ;[[-0.78, [41, 14, 64, 22]], [-0.36, [14, 25, 54, 35]], [0.1, [64, 48, 19, 41]], [0.5, [35, 19, 83, 29]], [0.86, [70, 13, 25, 16]]].forEach(([side, dash], i) => {
        const flow = beside(line, (j) => strip.half * (side as number) * 0.86 + 5 * noise(line[j]![0], line[j]![1], 46, i))
        on.ground.push({ d: smooth(flow, false), stroke: TONE.waterInk, width: 1.4, dash: dash as number[], alpha: 0.55 })
      })
    } else {
      const [cx, cy] = middleOf(grown[k]!)
      for (const size of [0.86, 0.66, 0.42]) on.ground.push({ d: smooth(grown[k]!.map(([x, y]): Point => [cx + (x - cx) * size, cy + (y - cy) * size])), stroke: TONE.waterInk, width: 1.4, alpha: 0.5, dash: [40, 16, 70, 24] })
    }
  })
  on.ground.push({ d: reeds, stroke: TONE.litter, width: 1.4, round: true })
}

/** Water one can wade: gravel shines through, ripples break on it. */
function shallows(on: Drawing, rim: readonly Point[], roll: Chance): void {
  const bed = worn(resample(shifted(rim, () => -4), 9), 22)
  on.ground.push({ d: smooth(shifted(bed, (i) => 7 * noise(bed[i]![0], bed[i]![1], 30, 12))), fill: mix(TONE.water, TONE.bank, 0.42), alpha: 0.8 }, { d: smooth(shifted(bed, (i) => -9 + 7 * noise(bed[i]![0], bed[i]![1], 30, 13))), fill: mix(TONE.water, TONE.bank, 0.62), alpha: 0.8 })
  let [pebbles, ripples] = ['', '']
  for (const one of darts(bed, [[7, 60, 0.8], [4, 90, 0.8]], roll, 0.9)) {
    if (one.r > 5.5) ripples += `M${(one.x - 8).toFixed(1)} ${one.y.toFixed(1)}q4 -3 8 0t8 0`
    else pebbles += ring(one.x, one.y, between(roll, 1.2, 2.8))
  }
  on.ground.push({ d: pebbles, fill: TONE.stoneLight, stroke: TONE.stoneInk, width: 0.9, alpha: 0.9 }, { d: ripples, stroke: TONE.waterInk, width: 1.3, round: true, alpha: 0.6 })
}

function marsh(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const rim = on.grown(outline, 12, 14)
  on.low.push({ d: smooth(rim), fill: TONE.swamp, alpha: 0.85 })
  for (const one of darts(rim, [[22, 10, 1.15], [13, 16, 1.2]], roll)) on.low.push({ d: smooth(stone(one.x, one.y, one.r, roll).map(([x, y]): Point => [x, one.y + (y - one.y) * 0.6])), fill: TONE.water, stroke: TONE.waterInk, width: 1.3, alpha: 0.9 })
  let reeds = ''
  for (const one of darts(rim, [[9, 60, 1]], roll)) reeds += `M${(one.x - 7).toFixed(1)} ${one.y.toFixed(1)}h14m-10 0l-2 -9m5 9v-12m4 12l2.4 -8.500`
  on.low.push({ d: reeds, stroke: TONE.litter, width: 1.4, round: true })
}

function loose(on: Drawing, outline: readonly Point[], roll: Chance, mud: boolean): void {
  const rim = on.grown(outline, 15, 20)
  on.low.push({ d: smooth(shifted(rim, () => 7)), fill: mud ? TONE.mud : TONE.sand, alpha: 0.3 }, { d: smooth(rim), fill: mud ? TONE.mud : TONE.sand, alpha: mud ? 0.6 : 0.75 })
  let [grains, waves] = ['', '']
  for (const one of darts(rim, [[mud ? 15 : 18, 50, 0.9], [5, 60, 0.9]], roll)) {
    if (one.r > 9) waves += mud ? `M${(one.x - 10).toFixed(1)} ${one.y.toFixed(1)}q5 4.500 10 0t10 0` : `M${(one.x - 13).toFixed(1)} ${one.y.toFixed(1)}q13 -8 26 0`
    else grains += dot(one.x, one.y)
  }
  on.low.push({ d: waves, stroke: mud ? TONE.earth : TONE.dune, width: 1.7, round: true, alpha: 0.75 }, { d: grains, stroke: mud ? TONE.earth : TONE.wheatInk, width: 2.2, round: true, alpha: 0.5 })
}

function crater(on: Drawing, x: number, y: number, r: number, roll: Chance): void {
  const rim = worn(stone(x, y, r, roll), 1)
  const around = (size: number, dx = 0, dy = 0): Point[] => rim.map(([px, py]) => [x + dx + (px - x) * size, y + dy + (py - y) * size])
  let rays = ''
  for (let i = 0; i < 20; i += 1) {
    const a = roll() * 6.283
    rays += path([[x + Math.cos(a) * r * 1.05, y + Math.sin(a) * r * 1.05], [x + Math.cos(a) * r * between(roll, 1.2, 1.6), y + Math.sin(a) * r * between(roll, 1.2, 1.6)]], false)
  }
  on.low.push({ d: smooth(around(1.45)), fill: TONE.mud, alpha: 0.35 }, { d: rays, stroke: TONE.earth, width: 1.4, alpha: 0.7, round: true }, { d: smooth(around(1)), fill: '#a88c5f', stroke: TONE.earth, width: 1.9 })
  on.low.push({ d: smooth(around(0.76, -LAMP[0] * r * 0.13, -LAMP[1] * r * 0.13)), fill: TONE.earth, alpha: 0.75 }, { d: smooth(around(0.46, LAMP[0] * r * 0.12, LAMP[1] * r * 0.12)), fill: '#8d7347', alpha: 0.8 })
}

function craters(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const rim = on.grown(outline, 10, 16)
  on.low.push({ d: smooth(rim), fill: TONE.mud, alpha: 0.3 })
  for (const one of darts(rim, [[26, 12, 1.35], [16, 16, 1.4]], roll, 0.9)) crater(on, one.x, one.y, one.r, roll)
}

function stones(on: Drawing, outline: readonly Point[], roll: Chance, big: number): void {
  const rim = on.grown(outline, 9, 11)
  on.low.push({ d: smooth(shifted(rim, () => 4)), fill: '#b9ae93', alpha: 0.45 }, { d: smooth(rim), fill: '#b9ae93', alpha: 0.6 })
  let cracks = ''
  for (const one of darts(rim, [[big, 26, 0.84], [big * 0.55, 60, 0.86], [big * 0.28, 90, 0.95]], roll, 0.6)) {
    const block = stone(one.x, one.y, one.r, roll)
    on.shade += path(fallen(block, 4 + one.r * 0.3))
    on.high.push({ d: path(block), fill: mix(TONE.stone, TONE.stoneLight, roll()), stroke: TONE.stoneInk, width: 1.5 })
    if (one.r > 6) cracks += path([block[0]!, [one.x, one.y], block[Math.floor(block.length / 2)]!], false)
  }
  on.high.push({ d: cracks, stroke: TONE.stoneInk, width: 1.2, alpha: 0.7 })
}

/** Rocks nobody climbs: large faceted blocks to the outline. */
function rocks(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const rim = worn(resample(outline, 24).map(([x, y]): Point => [x + near(roll) * 4, y + near(roll) * 4]), 1)
  const [cx, cy] = middleOf(rim)
  on.shade += cast(rim, 26)
  on.high.push({ d: path(rim), fill: TONE.stone, stroke: TONE.stoneInk, width: 2.4 })
  rim.forEach((point, i) => {
    const after = rim[(i + 1) % rim.length]!
    const [mx, my] = [(point[0] + after[0]) / 2 - cx, (point[1] + after[1]) / 2 - cy]
    const dark = (mx * LAMP[0] + my * LAMP[1]) / (Math.hypot(mx, my) || 1)
    const top = (p: Point): Point => [cx + (p[0] - cx) * 0.55 - 3, cy + (p[1] - cy) * 0.55 - 4]
    on.high.push({ d: path([point, after, top(after), top(point)]), fill: mix(TONE.stoneLight, '#8f8874', Math.max(0, dark) * 0.9), stroke: TONE.stoneInk, width: 1 })
  })
}

// -- works ----------------------------------------------------------------------------------------------

function trench(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const rim = on.grown(outline, 3, 3)
  const parapet = resample(rim, 5)
  const out = shifted(parapet, () => 1)
  const hachures = parapet.map(([x, y], i) => (roll() < 0.75 ? path([[x, y], [x + (out[i]![0] - x) * between(roll, 5, 11), y + (out[i]![1] - y) * between(roll, 5, 11)]], false) : '')).join('')
  on.low.push({ d: smooth(shifted(rim, () => 8)), fill: TONE.mud, alpha: 0.55 }, { d: hachures, stroke: TONE.earth, width: 1.6 }, { d: smooth(rim), fill: '#8a7350', stroke: TONE.earth, width: 2.6 })
  on.low.push({ d: smooth(shifted(rim, () => -4)), fill: '#6c5735', alpha: 0.45 })
  const strip = spine(outline)
  if (strip) {
    const line = resample(strip.line, 8, false)
    const [a, b] = [beside(line, () => strip.half * 0.5), beside(line, () => -strip.half * 0.5)]
    on.low.push({ d: a.map((point, i) => path([point, b[i]!], false)).join(''), stroke: TONE.stubble, width: 3.4, alpha: 0.85 })
  }
}

/** A strip: its middle line, or the two long sides of whatever shape it has. */
const lineOf = (outline: readonly Point[], step: number): { line: Point[]; half: number } => {
  const strip = spine(outline)
  return strip ? { line: resample(strip.line, step, false), half: strip.half } : { line: resample([...outline, outline[0]!], step, false), half: 4 }
}

function wall(on: Drawing, outline: readonly Point[], roll: Chance, height: number): void {
  const { line, half } = lineOf(outline, 9)
  const thick = Math.max(3.2, Math.min(half, 8))
  const rim = [...beside(line, () => thick + near(roll) * 0.8), ...beside(line, () => -thick - near(roll) * 0.8).reverse()]
  on.shade += line.slice(1).map((point, i) => cast([line[i]!, point, ...beside([line[i]!, point], () => thick), ...beside([line[i]!, point], () => -thick)], height)).join('')
  const dark = height > 12
  on.high.push({ d: path(rim), fill: dark ? TONE.wall : TONE.stone, stroke: dark ? TONE.wall : TONE.stoneInk, width: 1.6 })
  const courses = line.slice(1).map((point, i) => (i % 2 ? path(beside([line[i]!, point], () => thick).slice(0, 1).concat(beside([line[i]!, point], () => -thick).slice(0, 1)), false) : '')).join('')
  on.high.push(dark ? { d: path(line, false), stroke: TONE.wallTop, width: 3, dash: [8, 2.6, 13, 2.2], alpha: 0.75 } : { d: courses + path(line, false), stroke: TONE.stoneInk, width: 1.1, alpha: 0.8 })
}

function sandbags(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const { line } = lineOf(outline, 11)
  line.slice(1).forEach(([x, y], i) => {
    const a = Math.atan2(y - line[i]![1], x - line[i]![0]) + near(roll) * 0.16
    const bag = Array.from({ length: 10 }, (_, k): Point => {
      const [u, v] = [6.8 * Math.cos((k * 6.283) / 10), 4 * Math.sin((k * 6.283) / 10)]
      return [x + u * Math.cos(a) - v * Math.sin(a), y + u * Math.sin(a) + v * Math.cos(a)]
    })
    on.shade += smooth(fallen(bag, 5))
    on.high.push({ d: smooth(bag), fill: mix(TONE.bag, '#b5a274', roll()), stroke: TONE.earth, width: 1.4 })
  })
}

function fence(on: Drawing, outline: readonly Point[], barbed: boolean): void {
  const { line } = lineOf(outline, 15)
  on.high.push({ d: path(line, false), stroke: TONE.earth, width: barbed ? 1.2 : 2.2 })
  on.shade += line.map(([x, y]) => cast([[x - 1.4, y - 1.4], [x + 1.4, y - 1.4], [x + 1.4, y + 1.4], [x - 1.4, y + 1.4]], 8)).join('')
  on.high.push({ d: line.map(([x, y]) => (barbed ? `M${(x - 3.5).toFixed(1)} ${(y - 3.5).toFixed(1)}l7 7m0 -7l-7 7` : ring(x, y, 2.4))).join(''), ...(barbed ? { stroke: TONE.stoneInk, width: 1.5 } : { fill: '#8d7347', stroke: TONE.wall, width: 1 }) })
}

function hedgehogs(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const strip = spine(outline)
  const narrow = strip && strip.half < 16
  const places = narrow ? resample(strip.line, 24, false).map(([x, y]) => ({ x, y, r: 10 })) : darts(outline, [[16, 40, 1.2], [13, 30, 1.25]], roll, 0.8)
  for (const { x, y, r } of places) {
    const turn = roll() * 6.283
    let d = ''
    for (const k of [0, 1, 2]) {
      const a = turn + (k * Math.PI) / 3
      d += path([[x - Math.cos(a) * r, y - Math.sin(a) * r], [x + Math.cos(a) * r, y + Math.sin(a) * r]], false)
    }
    on.low.push({ d: ring(x + LAMP[0] * 5, y + LAMP[1] * 5, r * 0.7), fill: TONE.shadow, alpha: 0.18 })
    on.high.push({ d, stroke: TONE.wall, width: 4.6 }, { d, stroke: TONE.metal, width: 2.4 })
  }
}

/** Dragon's teeth: blunt pyramids of concrete in staggered rows. */
function teeth(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const { line, half } = lineOf(outline, 17)
  const rows = half > 14 ? [-0.5, 0.5] : [0]
  for (const row of rows)
    beside(line, () => row * half).forEach(([x, y]) => {
      const r = Math.min(9, Math.max(6, half * 0.8)) * between(roll, 0.9, 1.1)
      const turn = near(roll) * 0.25
      const foot = [0, 1, 2, 3].map((k): Point => [x + r * Math.cos(turn + 0.785 + k * 1.571), y + r * Math.sin(turn + 0.785 + k * 1.571)])
      const top = foot.map(([px, py]): Point => [x - 1 + (px - x) * 0.35, y - 1.4 + (py - y) * 0.35])
      on.shade += cast(foot, 8)
      on.high.push({ d: path(foot), fill: TONE.concrete, stroke: TONE.wall, width: 1.4 })
      foot.forEach((point, k) => {
        const after = foot[(k + 1) % 4]!
        const dark = ((point[0] + after[0]) / 2 - x) * LAMP[0] + ((point[1] + after[1]) / 2 - y) * LAMP[1] > 0
        on.high.push({ d: path([point, after, top[(k + 1) % 4]!, top[k]!]), fill: dark ? '#8f8978' : TONE.stoneLight, stroke: TONE.stoneInk, width: 0.8 })
      })
    })
}

/** A gully: banks that fall to a dry bed. */
function gully(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const rim = on.grown(outline, 5, 5)
  const banks = resample(rim, 4.6)
  const into = shifted(banks, () => -1).map(([x, y], i): Point => [x - banks[i]![0], y - banks[i]![1]])
  const hachures = banks.map(([x, y], i) => (roll() < 0.85 ? path([[x, y], [x + into[i]![0] * between(roll, 9, 17), y + into[i]![1] * between(roll, 9, 17)]], false) : '')).join('')
  on.low.push({ d: smooth(rim), fill: '#cdb98a', alpha: 0.85 }, { d: smooth(shifted(rim, () => -14)), fill: '#b9a271', alpha: 0.75 }, { d: hachures, stroke: TONE.earth, width: 1.6, alpha: 0.85 }, { d: smooth(rim), stroke: TONE.earth, width: 1.5, alpha: 0.7 })
}

function crates(on: Drawing, outline: readonly Point[]): void {
  on.shade += cast(outline, 9)
  const [cx, cy] = middleOf(outline)
  const inner = outline.map(([x, y]): Point => [cx + (x - cx) * 0.8, cy + (y - cy) * 0.8])
  on.high.push({ d: path(outline), fill: '#b79a66', stroke: TONE.earth, width: 1.8 }, { d: path(inner), stroke: TONE.earth, width: 1.2 }, { d: path([inner[0]!, inner[Math.floor(inner.length / 2)]!], false) + path([inner[1]!, inner[inner.length - 1]!], false), stroke: TONE.earth, width: 1.2 })
}

function minefield(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const posts = resample(outline, 46)
  on.low.push({ d: path(outline), fill: TONE.mud, alpha: 0.16 }, { d: path(outline), stroke: '#7a1530', width: 1.8, dash: [9, 7], alpha: 0.85 })
  on.high.push({ d: posts.map(([x, y]) => path([[x - 5, y - 9], [x + 5, y - 9], [x, y - 1]])).join(''), fill: '#a5402a', stroke: TONE.wall, width: 1.1 }, { d: posts.map(([x, y]) => `M${x.toFixed(1)} ${(y - 1).toFixed(1)}v6`).join(''), stroke: TONE.wall, width: 1.6 })
  const mines = darts(outline, [[16, 18, 1.3]], roll, 1)
  on.low.push({ d: mines.map(({ x, y }) => ring(x, y, 5)).join(''), stroke: TONE.earth, width: 1.4, dash: [3, 3], alpha: 0.8 }, { d: mines.map(({ x, y }) => dot(x, y)).join(''), stroke: TONE.earth, width: 2.6, round: true, alpha: 0.8 })
}

function wreck(on: Drawing, outline: readonly Point[], roll: Chance, burning: boolean): void {
  const [cx, cy] = middleOf(outline)
  const box = boxOf(outline)
  const r = Math.max(box.x1 - box.x0, box.y1 - box.y0) / 2
  on.patches.push({ x: cx, y: cy, r: r * 1.7, fill: TONE.soot, alpha: 0.5 })
  const frame = frameOf(outline)
  const strip = spine(outline) ?? { line: [frame.to(-frame.half[0], 0), frame.to(frame.half[0], 0)], half: frame.half[1] }
  const line = resample(strip.line, 12, false)
  for (const side of [-0.8, 0.8]) {
    const track = beside(line, () => strip.half * side)
    const rim = [...beside(track, () => strip.half * 0.2), ...beside(track, () => -strip.half * 0.2).reverse()]
    on.high.push({ d: path(rim), fill: '#5e594d', stroke: TONE.ink, width: 1.6 }, { d: path(track, false), stroke: TONE.ink, width: strip.half * 0.3, dash: [1.8, 5], alpha: 0.6 })
  }
  const body = [...beside(line, () => strip.half * 0.62 + near(roll) * 2), ...beside(line, () => -strip.half * 0.62 - near(roll) * 2).reverse()]
  on.shade += cast(outline, 9)
  on.high.push({ d: path(body), fill: TONE.metal, stroke: TONE.ink, width: 1.8 })
  const turn = between(roll, 0.4, 1.1)
  const turret = stone(cx + near(roll) * r * 0.2, cy + near(roll) * r * 0.2, strip.half * 0.5, roll)
  const [tx, ty] = middleOf(turret)
  on.high.push({ d: path(turret), fill: '#6a6558', stroke: TONE.ink, width: 1.8 }, { d: path([[tx, ty], [tx + Math.cos(turn) * r, ty + Math.sin(turn) * r]], false), stroke: TONE.ink, width: 5 }, { d: path([[tx, ty], [tx + Math.cos(turn) * r, ty + Math.sin(turn) * r]], false), stroke: '#6a6558', width: 2.8 })
  on.high.push({ d: scallops(cx, cy, strip.half * 0.3, 6, roll), fill: TONE.soot })
  if (burning) on.high.push({ d: scallops(cx, cy, strip.half * 0.42, 8, roll, 0.4), fill: '#d9641c' }, { d: scallops(cx, cy, strip.half * 0.22, 6, roll, 0.4), fill: '#f0b24a' })
}

function smoke(on: Drawing, outline: readonly Point[], roll: Chance): void {
  for (const one of darts(outline, [[34, 26, 0.6], [22, 30, 0.6]], roll, 0.3)) {
    on.smoke.patches.push({ x: one.x, y: one.y, r: one.r * 1.5, fill: TONE.smoke, alpha: 0.7 })
    on.smoke.paints.push({ d: `M${(one.x - one.r * 0.6).toFixed(1)} ${one.y.toFixed(1)}a${(one.r * 0.6).toFixed(1)} ${(one.r * 0.6).toFixed(1)} 0 0 1 ${(one.r * 1.1).toFixed(1)} ${(-one.r * 0.2).toFixed(1)}`, stroke: '#8f8a7c', width: 1.8, round: true, alpha: 0.7 })
  }
  on.smoke.paints.push({ d: smooth(organic(outline, 6, 3)), stroke: '#8f8a7c', width: 1.5, dash: [2, 7], round: true, alpha: 0.9 })
}

// -- buildings ---------------------------------------------------------------------------------------------

/** The rectangle that stands best for an outline. */
function frameOf(outline: readonly Point[]): Frame {
  const sides = outline.map((a, i): [Point, Point, number] => {
    const b = outline[(i + 1) % outline.length]!
    return [a, b, Math.hypot(b[0] - a[0], b[1] - a[1])]
  })
  const [a, b, long] = sides.reduce((best, one) => (one[2] > best[2] ? one : best))
  const u: Point = [(b[0] - a[0]) / (long || 1), (b[1] - a[1]) / (long || 1)]
  const along = outline.map(([x, y]) => x * u[0] + y * u[1])
  const across = outline.map(([x, y]) => -x * u[1] + y * u[0])
  const [u0, u1, v0, v1] = [Math.min(...along), Math.max(...along), Math.min(...across), Math.max(...across)]
  const [mu, mv] = [(u0 + u1) / 2, (v0 + v1) / 2]
  return { to: (p, q) => [(mu + p) * u[0] - (mv + q) * u[1], (mu + p) * u[1] + (mv + q) * u[0]], half: [(u1 - u0) / 2, (v1 - v0) / 2] }
}

function planks(outline: readonly Point[], frame: Frame, roll: Chance): string {
  const [X, Y] = frame.half
  let d = ''
  for (let v = -Y + 10; v < Y; v += 10.6) {
    let run: Point[] = []
    for (let u = -X; u <= X + 0.1; u += 6) {
      const point = frame.to(u, v)
      if (inside(point[0], point[1], outline)) run.push(point)
      else {
        d += path(run, false)
        run = []
      }
    }
    d += path(run, false)
    for (let u = -X + between(roll, 6, 40); u < X; u += 44) {
      const [a, b] = [frame.to(u, v), frame.to(u, Math.min(Y, v + 10.6))]
      if (inside(a[0], a[1], outline) && inside(b[0], b[1], outline)) d += path([a, b], false)
    }
  }
  return d
}

function building(on: Drawing, piece: Land, outline: readonly Point[], roll: Chance, concrete: boolean): void {
  const frame = frameOf(outline)
  if (!concrete) {
    const yard = on.grown(shifted(resample(outline, 12), () => 20), 9, 7)
    on.ground.push({ d: smooth(shifted(yard, () => 8)), fill: TONE.shoulder, alpha: 0.28 }, { d: smooth(yard), fill: TONE.road, alpha: 0.62 })
  }
  on.low.push({ d: path(outline), fill: TONE.boards }, { d: planks(outline, frame, roll), stroke: TONE.boardsInk, width: 1.2, alpha: 0.85 })
  const lit = shifted(resample(outline, 6), () => -13)
  on.low.push({ d: `${path(outline)}${path(fallen(lit, 7))}`, fill: TONE.shadow, alpha: 0.16, hollow: true })
  on.high.push({ d: path(outline), stroke: TONE.wall, width: 6.4 })
  for (const [ax, ay, bx, by, door] of piece.openings ?? []) {
    const d = path([[ax!, ay!], [bx!, by!]], false)
    on.high.push({ d, stroke: door ? TONE.boards : TONE.bone, width: door ? 7.4 : 4 })
    if (!door) on.high.push({ d, stroke: TONE.wall, width: 1.2 })
    else {
      const swung = ([1, -1] as const).map((turn): Point => [ax! - (by! - ay!) * 0.8 * turn, ay! + (bx! - ax!) * 0.8 * turn])
      on.low.push({ d: path([[ax!, ay!], swung.find(([x, y]) => inside(x, y, outline)) ?? swung[0]!], false), stroke: TONE.wall, width: 1.8 })
    }
  }
  on.roofs.push({ piece: piece.name ?? '', outline, shade: cast(outline, 30 + 8 * Math.max(1, piece.floors ?? 1)), paints: [...(concrete ? slab(outline, frame) : roof(outline, frame, roll, piece.floors ?? 1)), ...storeys(frame, piece.floors ?? 1)] })
}

/** A tab on the roof with a bar for each floor, where there is more than one. */
function storeys(frame: Frame, floors: number): Paint[] {
  if (floors < 2) return []
  const [X, Y] = frame.half
  const at = (u: number, v: number): Point => frame.to(X - 26 + u, Y - 20 + v)
  const bars = Array.from({ length: floors }, (_, i) => path([at(5, 5 + i * 5), at(19, 5 + i * 5)], false)).join('')
  return [{ d: path([at(0, 0), at(24, 0), at(24, 5 + floors * 5), at(0, 5 + floors * 5)]), fill: TONE.bone, stroke: TONE.wall, width: 1.6 }, { d: bars, stroke: TONE.wall, width: 2.6 }]
}

/** A ruin: a floor with holes, wall runs broken off, stones in the gaps. */
function ruin(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const frame = frameOf(outline)
  on.low.push({ d: smooth(on.grown(shifted(resample(outline, 12), () => 12), 7, 3)), fill: '#c6b994', alpha: 0.75 }, { d: path(outline), fill: TONE.boards }, { d: planks(outline, frame, roll), stroke: TONE.boardsInk, width: 1.2, alpha: 0.8 })
  for (const hole of darts(outline, [[Math.min(26, Math.min(...frame.half) * 0.35), 5, 2.4]], roll, 1.6).slice(0, 2)) {
    const rim = stone(hole.x, hole.y, hole.r, roll)
    on.low.push({ d: path(rim), fill: '#5b4d31', stroke: TONE.earth, width: 1.7 })
  }
  const rubble: Point[] = []
  const run = (points: readonly Point[], thick: number): void => {
    if (points.length < 2) return
    const rim = [...beside(points, () => thick + near(roll) * 1.4), ...beside(points, () => -thick - near(roll) * 1.4).reverse()]
    on.shade += cast(rim, 18)
    on.high.push({ d: path(rim), fill: TONE.wall, stroke: TONE.wall, width: 1.2 }, { d: path(points, false), stroke: TONE.wallTop, width: 3, dash: [8, 2.6, 13, 2.2], alpha: 0.75 })
  }
  outline.forEach((a, i) => {
    const b = outline[(i + 1) % outline.length]!
    const long = Math.hypot(b[0] - a[0], b[1] - a[1])
    const at = (share: number): Point => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
    let share = 0
    while (share < 0.999) {
      const end = Math.min(1, share + between(roll, 34, 80) / long)
      const gap = Math.min(1, end + between(roll, 18, 46) / long)
      const last = gap > 1 - 24 / long ? 1 : end
      run(resample([at(share), at(last)], 7, false), 5.4)
      if (last < 1) rubble.push(at((end + gap) / 2))
      share = last === 1 ? 1 : gap
    }
  })
  const [X, Y] = frame.half
  if (X > 70) run(resample([frame.to(X * 0.1, -Y), frame.to(X * 0.1, -Y * 0.35)], 7, false), 4.4)
  for (const [x, y] of rubble)
    for (let k = 0; k < 6; k += 1) {
      const block = stone(x + near(roll) * 13, y + near(roll) * 13, between(roll, 2, 6), roll)
      on.high.push({ d: path(fallen(block, 3.6)), fill: TONE.shadow, alpha: 0.3 }, { d: path(block), fill: mix(TONE.stone, '#b58d6b', roll() * 0.6), stroke: TONE.stoneInk, width: 1.3 })
    }
}

// -- the whole -----------------------------------------------------------------------------------------------

/** The part of a convex outline that is nearer to one point than to another. */
function nearer(outline: readonly Point[], [ax, ay]: Point, [bx, by]: Point): Point[] {
  const side = ([x, y]: Point): number => (x - (ax + bx) / 2) * (bx - ax) + (y - (ay + by) / 2) * (by - ay)
  return outline.flatMap((p, i): Point[] => {
    const q = outline[(i + 1) % outline.length]!
    const [sp, sq] = [side(p), side(q)]
    const cut: Point = [p[0] + ((q[0] - p[0]) * sp) / (sp - sq), p[1] + ((q[1] - p[1]) * sp) / (sp - sq)]
    return sp <= 0 ? (sq <= 0 ? [p] : [p, cut]) : sq <= 0 ? [cut] : []
  })
}

const PARCEL = 400
/** Parcels of open ground as a map has them, each mown its own way; so faint that nobody takes them for terrain. */
function parcels(on: Drawing, roll: Chance): void {
  const seeds: Point[] = []
  for (let y = PARCEL / 2; y < on.height + PARCEL / 2; y += PARCEL)
    for (let x = PARCEL / 2; x < on.width + PARCEL / 2; x += PARCEL) seeds.push([x + near(roll) * PARCEL * 0.3, y + near(roll) * PARCEL * 0.3])
  const [balks, tufts]: [Point[][], string[]] = [[], []]
  for (const seed of seeds) {
    let cell: Point[] = [[-20, -20], [on.width + 20, -20], [on.width + 20, on.height + 20], [-20, on.height + 20]]
    for (const other of seeds) if (other !== seed && cell.length) cell = nearer(cell, seed, other)
    if (cell.length < 3) continue
    const rim = uneven(cell, 9)
    const tone = [TONE.grass, TONE.straw, TONE.moss, TONE.sheet][Math.floor(roll() * 4)]!
    on.ground.push({ d: path(rim), fill: tone, alpha: between(roll, 0.12, 0.3) })
    if (roll() < 0.72) on.ground.push({ d: mown(cell, seed, roll() * Math.PI, between(roll, 17, 25)), stroke: mix(tone, TONE.tuft, 0.35), width: between(roll, 5, 8), alpha: 0.11 })
    balks.push(rim)
  }
  for (const rim of balks)
    for (const [x, y] of resample(rim, 9)) if (roll() < 0.4) tufts.push(`M${(x + near(roll) * 4).toFixed(1)} ${(y + near(roll) * 4).toFixed(1)}l${between(roll, -1.6, 1.6).toFixed(1)} ${(-between(roll, 3, 5.5)).toFixed(1)}`)
  on.ground.push({ d: tufts.join(''), stroke: TONE.tuft, width: 1.3, alpha: 0.5, round: true })
}

/** Swathes across an outline, in one direction. */
function mown(rim: readonly Point[], [cx, cy]: Point, turn: number, apart: number): string {
  const [ux, uy] = [Math.cos(turn), Math.sin(turn)]
  let d = ''
  for (let v = -PARCEL; v <= PARCEL; v += apart) {
    let run: Point[] = []
    for (let u = -PARCEL; u <= PARCEL; u += 24) {
      const at: Point = [cx + u * ux - v * uy, cy + u * uy + v * ux]
      if (inside(at[0], at[1], rim)) run.push(at)
      else if (run.length) {
        d += path(run, false)
        run = []
      }
    }
    d += path(run, false)
  }
  return d
}

const PATH = 330
/** Trodden paths from houses to the nearest road. */
function paths(on: Drawing, houses: readonly Shaped[], roads: readonly (readonly Point[])[], blocked: readonly (readonly Point[])[], roll: Chance): void {
  const verges = roads.flatMap((outline) => resample(spine(outline)?.line ?? outline, 16, false))
  for (const { piece, outline } of houses) {
    const doors = (piece.openings ?? []).filter((one) => one[4]).map(([ax, ay, bx, by]): Point => [(ax! + bx!) / 2, (ay! + by!) / 2])
    const starts = doors.length ? doors : outline.map((a, i): Point => [(a[0] + outline[(i + 1) % outline.length]![0]) / 2, (a[1] + outline[(i + 1) % outline.length]![1]) / 2])
    let best: { from: Point; to: Point; far: number } | null = null
    for (const from of starts)
      for (const to of verges) {
        const far = Math.hypot(from[0] - to[0], from[1] - to[1])
        if (far < (best?.far ?? PATH) && [0.2, 0.4, 0.6, 0.8].every((share) => blocked.every((other) => other === outline || !inside(from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, other)))) best = { from, to, far }
      }
    if (!best || best.far < 30) continue
    const { from, to, far } = best
    const bow = between(roll, -0.12, 0.12) * far
    const line = curve([from, [(from[0] + to[0]) / 2 - ((to[1] - from[1]) / far) * bow, (from[1] + to[1]) / 2 + ((to[0] - from[0]) / far) * bow], to], 10)
    on.ground.push({ d: smooth(line, false), stroke: TONE.shoulder, width: 19, alpha: 0.4, round: true }, { d: smooth(line, false), stroke: TONE.road, width: 11, alpha: 0.85, round: true })
  }
}

/** Tones and tufts of open ground, where nothing else is. */
function meadow(on: Drawing, pieces: readonly (readonly Point[])[], roll: Chance): void {
  const size = Math.sqrt(on.width * on.height)
  for (let i = 0; i < 30; i += 1) on.patches.push({ x: roll() * on.width, y: roll() * on.height, r: size * between(roll, 0.06, 0.17), fill: [TONE.grass, TONE.straw, TONE.moss][Math.floor(roll() * 3)]!, alpha: 0.34 })
  const boxes = pieces.map((outline): [Box, readonly Point[]] => [boxOf(outline), outline])
  let tufts = ''
  for (let i = 0; i < (on.width * on.height) / 2600; i += 1) {
    const [x, y] = [between(roll, 10, on.width - 10), between(roll, 10, on.height - 10)]
    if (boxes.some(([box, outline]) => x > box.x0 - 24 && x < box.x1 + 24 && y > box.y0 - 24 && y < box.y1 + 24 && (inside(x, y, outline) || away(x, y, outline) < 22))) continue
    const tall = between(roll, 4, 7.6)
    tufts += `M${(x - 3).toFixed(1)} ${y.toFixed(1)}l-2 ${(-tall * 0.7).toFixed(1)}M${x.toFixed(1)} ${y.toFixed(1)}l.3 ${(-tall).toFixed(1)}M${(x + 3).toFixed(1)} ${y.toFixed(1)}l2.400 ${(-tall * 0.65).toFixed(1)}`
  }
  on.ground.push({ d: tufts, stroke: TONE.tuft, width: 1.2, alpha: 0.6, round: true })
}

/** How each look is drawn, piece by piece. */
const JUST: Record<string, (on: Drawing, outline: readonly Point[], roll: Chance, piece: Land) => void> = {
  wood, scrub: bushes, gully, hedge, crops: field, hill, trench, mines: minefield, smoke, craters, rocks,
  bog: marsh,
  sand: (on, outline, roll) => loose(on, outline, roll, false),
  mud: (on, outline, roll) => loose(on, outline, roll, true),
  stones: (on, outline, roll) => stones(on, outline, roll, 11),
  wall: (on, outline, roll, piece) => wall(on, outline, roll, /high|^wall$/.test(piece.kind) && !/low/.test(piece.kind) ? 19 : 8),
  sandbags,
  fence: (on, outline, _, piece) => fence(on, outline, /wire/.test(piece.kind)),
  traps: (on, outline, roll, piece) => (/obstacle|teeth/.test(`${piece.kind} ${piece.name}`) ? teeth(on, outline, roll) : hedgehogs(on, outline, roll)),
  crate: (on, outline) => crates(on, outline),
  wreck: (on, outline, roll, piece) => wreck(on, outline, roll, /burn/.test(piece.kind)),
  house: (on, outline, roll, piece) => building(on, piece, outline, roll, CONCRETE.test(piece.kind)),
  ruin
}

const CONCRETE = /bunker|strongpoint|hut/
const TOGETHER = new Set(['road', 'water'])

interface Shaped {
  piece: Land
  look: string
  outline: Point[]
}

const BENDS: Record<string, 'smooth' | 'sharp'> = { road: 'smooth', water: 'smooth', trench: 'smooth', gully: 'smooth', hedge: 'smooth', fence: 'sharp', wall: 'sharp', sandbags: 'sharp', traps: 'sharp' }

/** Is it no larger than a bend of a strip? */
function isJoint(outline: readonly Point[], half: number): boolean {
  const { x0, y0, x1, y1 } = boxOf(outline)
  return Math.max(x1 - x0, y1 - y0) <= half * 2.3
}

/** Lines come as one strip for each of their legs: here they are one again. */
function joined(pieces: readonly Shaped[]): Shaped[] {
  const legs = new Map<string, Shaped[]>()
  pieces.forEach((one, i) => {
    const key = BENDS[one.look] && one.piece.name ? `${one.look} ${one.piece.name}` : `#${i}`
    legs.set(key, [...(legs.get(key) ?? []), one])
  })
  return [...legs.values()].flatMap((all) => {
    if (all.length < 2) return all
    // Some games put a small piece over every bend: the legs alone make the line.
    const strips = all.map((one) => ({ one, strip: spine(one.outline) }))
    const half = Math.max(0, ...strips.map(({ strip }) => strip?.half ?? 0))
    const runs = strips.filter(({ one, strip }) => strip && !isJoint(one.outline, half))
    if (runs.length < all.length && !strips.every(({ one, strip }) => strip || isJoint(one.outline, half))) return all
    const whole = runs.length > 1 ? chained(runs.map(({ one }) => one.outline), BENDS[all[0]!.look]!) : runs[0]!.one.outline
    return whole ? [{ ...all[0]!, outline: whole }] : all
  })
}

/** A place with a name: a crossing called a ford is one. */
export interface Named {
  name: string
  x: number
  y: number
}

/** The scene of a table. */
export function sceneOf(width: number, height: number, land: readonly Land[], named: readonly Named[] = []): Scene {
  const on = new Drawing(width, height)
  const pieces = joined(layered(land).map((piece) => ({ piece, look: known(piece.kind), outline: piece.outline.map(([x, y]): Point => [x!, y!]) })))
  parcels(on, chance(`parcels ${width} ${height} ${land[0]?.name ?? land[0]?.kind ?? ''}`))
  meadow(on, pieces.map((one) => one.outline), chance(`meadow ${width} ${height}`))
  const all = (look: string): Point[][] => pieces.filter((one) => one.look === look).map((one) => one.outline)
  const water = pieces.filter((one) => one.look === 'water')
  if (water.length) waters(on, water, chance('water'))
  paths(on, pieces.filter((one) => one.look === 'house' && !CONCRETE.test(one.piece.kind)), all('road'), [...all('water'), ...all('house'), ...all('rocks'), ...all('wood')], chance('paths'))
  if (all('road').length) roads(on, all('road'), chance('road'))
  if (water.length && all('road').length) crossings(on, all('road'), all('water'), named, chance('crossings'))
  for (const { piece, look, outline } of pieces) {
    if (TOGETHER.has(look)) continue
    const [x, y] = outline[0] ?? [0, 0]
    ;(JUST[look] ?? JUST['stones']!)(on, outline, chance(`${piece.name ?? piece.kind} ${x} ${y}`), piece)
  }
  return { width, height, patches: on.patches, ground: on.ground, low: on.low, shade: on.shade, high: on.high, crowns: on.crowns, roofs: on.roofs, smoke: on.smoke }
}

// -- what gives way -------------------------------------------------------------------------------------------

export interface Standing {
  x: number
  y: number
  r: number
}

/** How much of each crown is left where models stand: whole, smaller, or none. */
export function parted(crowns: readonly Crown[], models: readonly Standing[]): number[] {
  return crowns.map((one) => {
    let free = Infinity
    for (const model of models) free = Math.min(free, Math.hypot(model.x - one.x, model.y - one.y) - model.r - 2.5)
    const share = Math.min(1, free / one.r)
    return share < 0.45 ? 0 : Math.round(share * 20) / 20
  })
}

/** The roofs that stay on: nobody is inside, or stands under them. */
export const closed = (roofs: readonly Roof[], models: readonly Standing[], entered: ReadonlySet<string>): boolean[] =>
  roofs.map((one) => !entered.has(one.piece) && !models.some((model) => inside(model.x, model.y, one.outline)))
