// What the way to every spot in reach costs: the server's grid of letters as a smooth field, its shade and its contour lines.

import type { CostGrid } from '../lib/types'
import type { Point } from './land/shapes'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-'
const AROUND = [-1, 0, 1].flatMap((dj) => [-1, 0, 1].map((di) => [di, dj] as const)).filter(([di, dj]) => di || dj)

/** The grid with a free row and column all round it. */
export interface CostField {
  /** Where its first spot is, and how far apart spots are, in millimetres. */
  x: number
  y: number
  step: number
  columns: number
  rows: number
  /** The cost of each spot as a share of the limit; spots out of reach carry on what lies beside them. */
  share: Float32Array
  /** How far inside the ground in reach, in steps: 0 is its rim, less is outside. */
  depth: Float32Array
  /** Which spots are in reach. */
  open: Uint8Array
}

/** `mm` is the game's unit of length. */
export function fieldOf(grid: CostGrid, mm: number): CostField {
  const [columns, rows] = [grid.columns + 2, grid.cells.length / grid.columns + 2]
  const far = (grid.limit * mm) / grid.step
  const share = new Float32Array(columns * rows).fill(2)
  const depth = new Float32Array(columns * rows).fill(-1)
  const open = new Uint8Array(columns * rows)
  for (let at = 0; at < grid.cells.length; at += 1) {
    const level = LETTERS.indexOf(grid.cells[at]!)
    if (level < 0) continue
    const here = (Math.floor(at / grid.columns) + 1) * columns + (at % grid.columns) + 1
    share[here] = level / (LETTERS.length - 1)
    depth[here] = Math.min(1, (1 - share[here]!) * far)
    open[here] = 1
  }
  // Beyond the rim the ways would go on: that tells where between two spots the move ends. Where they would not, something is in the way.
  for (let j = 0; j < rows; j += 1)
    for (let i = 0; i < columns; i += 1) {
      const here = j * columns + i
      if (open[here]) continue
      let least = Infinity
      for (const [di, dj] of AROUND) {
        const [x, y] = [i + di, j + dj]
        if (x < 0 || y < 0 || x >= columns || y >= rows || !open[y * columns + x]) continue
        least = Math.min(least, share[y * columns + x]! + Math.hypot(di, dj) / far)
      }
      if (least === Infinity) continue
      share[here] = least
      depth[here] = least > 1 ? Math.max(-1, (1 - least) * far) : -1
    }
  return { x: grid.x - grid.step, y: grid.y - grid.step, step: grid.step, columns, rows, share, depth, open }
}

/** The four spots round a place of the field, and how much each of them counts. */
function corners({ columns, rows }: CostField, i: number, j: number): [number, number][] {
  const [i0, j0] = [Math.min(columns - 2, Math.max(0, Math.floor(i))), Math.min(rows - 2, Math.max(0, Math.floor(j)))]
  const [u, v] = [i - i0, j - j0]
  const here = j0 * columns + i0
  return [
    [here, (1 - u) * (1 - v)],
    [here + 1, u * (1 - v)],
    [here + columns, (1 - u) * v],
    [here + columns + 1, u * v]
  ]
}

/** What a point (mm) costs as a share of the limit, and how deep inside the rim it is. */
export function costAt(field: CostField, x: number, y: number): { share: number; depth: number } {
  let [share, depth, weight] = [0, 0, 0]
  for (const [spot, part] of corners(field, (x - field.x) / field.step, (y - field.y) / field.step)) {
    depth += field.depth[spot]! * part
    const counts = field.share[spot]! < 2 ? part : 0
    share += field.share[spot]! * counts
    weight += counts
  }
  return { share: weight ? share / weight : 1, depth }
}

const FINE = 4

/** A small picture of the field: palest near, colour where the move ends, its rim soft. `near` and `far` are [r, g, b, alpha]. */
export function shadeOf(field: CostField, near: readonly number[], far: readonly number[]): { width: number; height: number; pixels: Uint8ClampedArray<ArrayBuffer> } {
  const [width, height] = [(field.columns - 1) * FINE, (field.rows - 1) * FINE]
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let py = 0; py < height; py += 1)
    for (let px = 0; px < width; px += 1) {
      const { share, depth } = costAt(field, field.x + ((px + 0.5) * field.step) / FINE, field.y + ((py + 0.5) * field.step) / FINE)
      const soft = Math.min(1, Math.max(0, depth * 0.9 + 0.5))
      if (!soft) continue
      const t = Math.min(1, share) ** 1.4
      const at = (py * width + px) * 4
      const alpha = near[3]! + (far[3]! - near[3]!) * t
      for (let c = 0; c < 3; c += 1) pixels[at + c] = (near[c]! * near[3]! * (1 - t) + far[c]! * far[3]! * t) / alpha
      pixels[at + 3] = 255 * alpha * soft
    }
  return { width, height, pixels }
}

/** Lines along which a value is the same (mm), by marching squares: closed where they can be, ends open where the ground ends. */
function contour({ x, y, step, columns, rows }: CostField, values: Float32Array, level: number, within?: Uint8Array): Point[][] {
  const edges = new Map<string, { point: Point; next: string[] }>()
  const crossing = (a: number, b: number): string => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`
    if (!edges.has(key)) {
      const t = (level - values[a]!) / (values[b]! - values[a]!)
      const [ax, ay, bx, by] = [a % columns, Math.floor(a / columns), b % columns, Math.floor(b / columns)]
      edges.set(key, { point: [x + (ax + (bx - ax) * t) * step, y + (ay + (by - ay) * t) * step], next: [] })
    }
    return key
  }
  const join = (one: string, other: string): void => {
    edges.get(one)!.next.push(other)
    edges.get(other)!.next.push(one)
  }
  for (let j = 0; j + 1 < rows; j += 1)
    for (let i = 0; i + 1 < columns; i += 1) {
      const spots = [j * columns + i, j * columns + i + 1, (j + 1) * columns + i + 1, (j + 1) * columns + i]
      if (within && !spots.every((spot) => within[spot])) continue
      const cut = spots.flatMap((a, n) => (values[a]! >= level !== values[spots[(n + 1) % 4]!]! >= level ? [crossing(a, spots[(n + 1) % 4]!)] : []))
      if (cut.length === 2) join(cut[0]!, cut[1]!)
      else if (cut.length === 4) {
        const turned = values[spots[0]!]! >= level ? 1 : 0
        join(cut[0]!, cut[turned ? 3 : 1]!)
        join(cut[2]!, cut[turned ? 1 : 3]!)
      }
    }
  const lines: Point[][] = []
  const gone = new Set<string>()
  const ends = [...edges].filter(([, { next }]) => next.length === 1).map(([key]) => key)
  for (const first of [...ends, ...edges.keys()]) {
    if (gone.has(first)) continue
    const line: Point[] = []
    for (let key: string | undefined = first; key !== undefined; key = edges.get(key)!.next.find((other) => !gone.has(other))) {
      gone.add(key)
      line.push(edges.get(key)!.point)
    }
    if (line.length > 2) lines.push(line)
  }
  return lines
}

/** Closed lines round the ground in reach. */
export const rimOf = (field: CostField): Point[][] => contour(field, field.depth, 0)

/** Lines of equal cost, at a share of the limit. */
export const isolines = (field: CostField, share: number): Point[][] => contour(field, field.share, share, field.open)
