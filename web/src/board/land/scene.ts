// A measured table as a scene: every piece of terrain grown out of its outline and its name, the same wherever it is drawn.
// Lengths are millimetres. What gives way to models (crowns, roofs) is kept apart from what never changes.

import { known, layered } from '../measured'
import {
  away, beside, between, boxOf, chained, chance, darts, dot, hullOf, inside, middleOf, move, near, noise, organic, path, resample, ring, scallops, shifted, smooth, spine, stone, worn,
  type Box, type Chance, type Point
} from './shapes'

export interface Paint {
  d: string
  fill?: string
  stroke?: string
  width?: number
  alpha?: number
  dash?: number[]
  round?: boolean
  /** A shape within a shape is a hole. */
  hollow?: boolean
}

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

/** The one lamp stands in the north-west: shadows fall this way. */
export const LAMP: Point = [0.62, 0.78]

export const TONE = {
  sheet: '#e9e1c6', grass: '#cfcf9f', straw: '#d9c998', moss: '#c7cb9b', tuft: '#8f9160', ink: '#272318', shadow: '#2a2410', bone: '#fbf5e4',
  trees: '#6f8a55', treesInk: '#34482a', leaf: '#8a9c5c', litter: '#5d6b38', floor: '#a9b07c', fir: '#4d6a4a', glint: '#c4cf98',
  water: '#a9c3c6', waterInk: '#3f6a75', bank: '#cdbf90', earth: '#6c5735', mud: '#b59a72', sand: '#dcc58d', dune: '#c9ad6c',
  road: '#ddd0ae', roadInk: '#8d7f60', shoulder: '#c8ba88', rut: '#bda97c', hill: '#e0d3a6', summit: '#eadfbd',
  wheat: '#dcc27f', wheatInk: '#8a6a23', stubble: '#cbb383', stone: '#c3bba8', stoneLight: '#ddd5c0', stoneInk: '#4c4638', wall: '#2d281c', wallTop: '#8c836c',
  boards: '#d6c7a5', boardsInk: '#a3936c', roof: '#b9714f', roofDark: '#95523a', roofInk: '#5f2f1e', concrete: '#b8b2a2', metal: '#7d7768', soot: '#3b3323', smoke: '#f3f0e6', swamp: '#b3b98c', bag: '#cbb98c', grid: '#8b7f63'
} as const

const hex = (colour: string): number[] => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16))
export const mix = (a: string, b: string, share: number): string => {
  const [one, two] = [hex(a), hex(b)]
  return `#${one.map((value, i) => Math.round(value + (two[i]! - value) * share).toString(16).padStart(2, '0')).join('')}`
}

const fallen = (points: readonly Point[], far: number): Point[] => move(points, LAMP[0] * far, LAMP[1] * far)
/** The shadow of something upright: its outline swept away from the lamp. */
const cast = (points: readonly Point[], height: number): string => path(hullOf([...points, ...fallen(points, height)]))

class Drawing {
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
  const rim = on.grown(outline, 9, 8)
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
  const rim = on.grown(outline, 3, 2)
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
  const base = on.grown(outline, 7, 12)
  const [cx, cy] = middleOf(base)
  const rings = [1, 0.68, 0.38].map((size, k) => base.map(([x, y]): Point => [cx - k * 5 + (x - cx) * size * (1 + 0.05 * noise(x, y, 60, k)), cy - k * 4 + (y - cy) * size * (1 + 0.05 * noise(y, x, 60, k))]))
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

/** All water together: sandy banks with hachures, the water, its flow lines, the shadow of the lit bank, reeds. */
function waters(on: Drawing, outlines: readonly (readonly Point[])[], roll: Chance): void {
  const grown = outlines.map((outline) => on.grown(outline, 8, 8))
  for (const rim of grown) on.ground.push({ d: smooth(shifted(rim, (i) => 12 + 3 * noise(rim[i]![0], rim[i]![1], 22, 8))), fill: TONE.bank, alpha: 0.75 })
  let [hachures, reeds] = ['', '']
  grown.forEach((rim) => {
    const banks = resample(rim, 6.5)
    const out = shifted(banks, () => 1)
    banks.forEach(([x, y], i) => {
      if (x < 0 || y < 0 || x > on.width || y > on.height || grown.some((other) => other !== rim && inside(x, y, other))) return
      const [ox, oy] = [out[i]![0] - x, out[i]![1] - y]
      const long = between(roll, 4, 10)
      if (roll() < 0.8) hachures += path([[x, y], [x + ox * long, y + oy * long]], false)
      if (roll() < 0.13) reeds += `M${x.toFixed(1)} ${y.toFixed(1)}l-2.4 -8m4.6 8l.6 -10.4m1.8 10.4l3.200 -7.400`
    })
  })
  on.ground.push({ d: hachures, stroke: TONE.earth, width: 1.4, alpha: 0.7 })
  for (const rim of grown) on.ground.push({ d: smooth(rim), fill: TONE.water, stroke: TONE.waterInk, width: 2.8 })
  for (const rim of grown) on.ground.push({ d: smooth(shifted(rim, () => -0.8)), fill: TONE.water })
  outlines.forEach((outline, k) => {
    const strip = spine(outline)
    if (strip) {
      const line = resample(strip.line, 12, false)
      ;[[-0.78, [41, 14, 64, 22]], [-0.36, [14, 25, 54, 35]], [0.1, [64, 48, 19, 41]], [0.5, [35, 19, 83, 29]], [0.86, [70, 13, 25, 16]]].forEach(([side, dash], i) => {
        const flow = beside(line, (j) => strip.half * (side as number) * 0.92 + 4 * noise(line[j]![0], line[j]![1], 40, i))
        on.ground.push({ d: smooth(flow, false), stroke: TONE.waterInk, width: 1.4, dash: dash as number[], alpha: 0.55 })
      })
    } else {
      const [cx, cy] = middleOf(grown[k]!)
      for (const size of [0.86, 0.66, 0.42]) on.ground.push({ d: smooth(grown[k]!.map(([x, y]): Point => [cx + (x - cx) * size, cy + (y - cy) * size])), stroke: TONE.waterInk, width: 1.4, alpha: 0.5, dash: [40, 16, 70, 24] })
    }
  })
  on.ground.push({ d: reeds, stroke: TONE.litter, width: 1.4, round: true })
}

function marsh(on: Drawing, outline: readonly Point[], roll: Chance): void {
  const rim = on.grown(outline, 9, 8)
  on.low.push({ d: smooth(rim), fill: TONE.swamp, alpha: 0.85 })
  for (const one of darts(rim, [[22, 10, 1.15], [13, 16, 1.2]], roll)) on.low.push({ d: smooth(stone(one.x, one.y, one.r, roll).map(([x, y]): Point => [x, one.y + (y - one.y) * 0.6])), fill: TONE.water, stroke: TONE.waterInk, width: 1.3, alpha: 0.9 })
  let reeds = ''
  for (const one of darts(rim, [[9, 60, 1]], roll)) reeds += `M${(one.x - 7).toFixed(1)} ${one.y.toFixed(1)}h14m-10 0l-2 -9m5 9v-12m4 12l2.4 -8.500`
  on.low.push({ d: reeds, stroke: TONE.litter, width: 1.4, round: true })
}

function loose(on: Drawing, outline: readonly Point[], roll: Chance, mud: boolean): void {
  const rim = on.grown(outline, 10, 9)
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
  const rim = on.grown(outline, 6, 6)
  on.low.push({ d: smooth(rim), fill: TONE.mud, alpha: 0.3 })
  for (const one of darts(rim, [[26, 12, 1.35], [16, 16, 1.4]], roll, 0.9)) crater(on, one.x, one.y, one.r, roll)
}

function stones(on: Drawing, outline: readonly Point[], roll: Chance, big: number): void {
  const rim = on.grown(outline, 6, 5)
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
  const strip = spine(outline) ?? { line: [[cx, box.y0], [cx, box.y1]] as Point[], half: (box.x1 - box.x0) / 2 }
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

interface Frame {
  /** From the middle along the long side and across it. */
  to: (u: number, v: number) => Point
  half: Point
}

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
  on.roofs.push({ piece: piece.name ?? '', outline, shade: cast(outline, 30 + 8 * Math.max(1, piece.floors ?? 1)), paints: [...(concrete ? slab(outline, frame) : roof(outline, frame, roll)), ...storeys(frame, piece.floors ?? 1)] })
}

/** A tab on the roof with a bar for each floor, where there is more than one. */
function storeys(frame: Frame, floors: number): Paint[] {
  if (floors < 2) return []
  const [X, Y] = frame.half
  const at = (u: number, v: number): Point => frame.to(X - 26 + u, Y - 20 + v)
  const bars = Array.from({ length: floors }, (_, i) => path([at(5, 5 + i * 5), at(19, 5 + i * 5)], false)).join('')
  return [{ d: path([at(0, 0), at(24, 0), at(24, 5 + floors * 5), at(0, 5 + floors * 5)]), fill: TONE.bone, stroke: TONE.wall, width: 1.6 }, { d: bars, stroke: TONE.wall, width: 2.6 }]
}

const EAVES = 8

/** A tiled roof: two slopes along the ridge, the lit one lighter, a chimney. */
function roof(outline: readonly Point[], frame: Frame, roll: Chance): Paint[] {
  const [X, Y] = frame.half
  const box = Math.abs(Math.abs(area4(frame)) - Math.abs(areaOf(outline))) < 0.08 * Math.abs(areaOf(outline))
  const colour = mix(TONE.roof, ['#a8604a', '#b98a5a', '#8d8168'][Math.floor(roll() * 3)]!, roll() * 0.8)
  const dark = mix(colour, '#3a1d10', 0.28)
  if (!box) {
    const rim = shifted(resample(outline, 8), () => EAVES / 2)
    const courses = [8, 22, 36, 50, 64].map((depth) => path(shifted(resample(outline, 8), () => -depth))).slice(0, Math.max(1, Math.floor(Y / 18)))
    return [{ d: path(rim), fill: colour, stroke: TONE.wall, width: 2 }, { d: courses.join(''), stroke: TONE.roofInk, width: 1.1, alpha: 0.5 }]
  }
  const corner = (u: number, v: number): Point => frame.to(u * (X + EAVES), v * (Y + EAVES))
  const halves = [-1, 1].map((v): [Point[], number] => {
    const [mx, my] = frame.to(0, v)
    const [ox, oy] = frame.to(0, 0)
    return [[corner(-1, 0), corner(1, 0), corner(1, v), corner(-1, v)], (mx - ox) * LAMP[0] + (my - oy) * LAMP[1]]
  })
  let tiles = ''
  for (const v of [-1, 1])
    for (let row = 9, k = 0; row < Y + EAVES; row += 9, k += 1) {
      tiles += path([frame.to(-X - EAVES, v * row), frame.to(X + EAVES, v * row)], false)
      for (let u = -X - EAVES + (k % 2 ? 6 : 12); u < X + EAVES; u += 12) tiles += path([frame.to(u, v * row), frame.to(u, v * (row - 9))], false)
    }
  const stack = [[-8, -6], [8, -6], [8, 6], [-8, 6]].map(([u, v]): Point => frame.to(u! - X * 0.5, v! - Y * 0.3))
  return [
    ...halves.map(([points, shade]): Paint => ({ d: path(points), fill: shade > 0 ? dark : colour, stroke: TONE.wall, width: 2 })),
    { d: tiles, stroke: TONE.roofInk, width: 1.1, alpha: 0.5 },
    { d: path([corner(-1, 0), corner(1, 0)], false), stroke: TONE.wall, width: 3.4 },
    { d: cast(stack, 13), fill: TONE.shadow, alpha: 0.4 },
    { d: path(stack), fill: '#c9b79a', stroke: TONE.wall, width: 1.8 },
    { d: path(stack.map(([x, y]): Point => { const [cx, cy] = middleOf(stack); return [cx + (x - cx) * 0.5, cy + (y - cy) * 0.45] })), fill: TONE.wall }
  ]
}
const area4 = (frame: Frame): number => 4 * frame.half[0] * frame.half[1]
const areaOf = (points: readonly Point[]): number => points.reduce((sum, [x, y], i) => sum + x * points[(i + 1) % points.length]![1] - points[(i + 1) % points.length]![0] * y, 0) / 2

/** A concrete roof: a bevelled slab. */
function slab(outline: readonly Point[], frame: Frame): Paint[] {
  const [cx, cy] = middleOf(outline)
  const inner = outline.map(([x, y]): Point => [cx + (x - cx) * 0.76, cy + (y - cy) * 0.76])
  const vent = [[-7, -7], [7, -7], [7, 7], [-7, 7]].map(([u, v]): Point => frame.to(u!, v!))
  return [{ d: path(outline), fill: TONE.concrete, stroke: TONE.wall, width: 2.4 }, { d: outline.map((point, i) => path([point, inner[i]!], false)).join(''), stroke: TONE.stoneInk, width: 1.3 }, { d: path(inner), fill: mix(TONE.concrete, TONE.bone, 0.25), stroke: TONE.stoneInk, width: 1.4 }, { d: path(vent), fill: TONE.stoneInk }]
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
  wood, scrub: bushes, hedge, crops: field, hill, trench, mines: minefield, smoke, craters, rocks,
  bog: marsh,
  sand: (on, outline, roll) => loose(on, outline, roll, false),
  mud: (on, outline, roll) => loose(on, outline, roll, true),
  stones: (on, outline, roll) => stones(on, outline, roll, 11),
  wall: (on, outline, roll, piece) => wall(on, outline, roll, /high|^wall$/.test(piece.kind) && !/low/.test(piece.kind) ? 19 : 8),
  sandbags,
  fence: (on, outline, _, piece) => fence(on, outline, /wire/.test(piece.kind)),
  traps: hedgehogs,
  crate: (on, outline) => crates(on, outline),
  wreck: (on, outline, roll, piece) => wreck(on, outline, roll, /burn/.test(piece.kind)),
  house: (on, outline, roll, piece) => building(on, piece, outline, roll, /bunker|strongpoint|hut/.test(piece.kind)),
  ruin
}

const TOGETHER = new Set(['road', 'water'])

interface Shaped {
  piece: Land
  look: string
  outline: Point[]
}

const BENDS: Record<string, 'smooth' | 'sharp'> = { road: 'smooth', water: 'smooth', trench: 'smooth', hedge: 'smooth', fence: 'sharp', wall: 'sharp', sandbags: 'sharp', traps: 'sharp' }

/** Lines come as one strip for each of their legs: here they are one again. */
function joined(pieces: readonly Shaped[]): Shaped[] {
  const legs = new Map<string, Shaped[]>()
  pieces.forEach((one, i) => {
    const key = BENDS[one.look] && one.piece.name ? `${one.look} ${one.piece.name}` : `#${i}`
    legs.set(key, [...(legs.get(key) ?? []), one])
  })
  return [...legs.values()].flatMap((all) => {
    const whole = all.length > 1 ? chained(all.map((one) => one.outline), BENDS[all[0]!.look]!) : null
    return whole ? [{ ...all[0]!, outline: whole }] : all
  })
}

/** The scene of a table. */
export function sceneOf(width: number, height: number, land: readonly Land[]): Scene {
  const on = new Drawing(width, height)
  const pieces = joined(layered(land).map((piece) => ({ piece, look: known(piece.kind), outline: piece.outline.map(([x, y]): Point => [x!, y!]) })))
  meadow(on, pieces.map((one) => one.outline), chance(`meadow ${width} ${height}`))
  const all = (look: string): Point[][] => pieces.filter((one) => one.look === look).map((one) => one.outline)
  if (all('water').length) waters(on, all('water'), chance('water'))
  if (all('road').length) roads(on, all('road'), chance('road'))
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
