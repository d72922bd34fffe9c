// Terrain drawn like a topographic map: all pieces of one kind become a few paths, so that a board is a few dozen nodes.

import { CELL, scatter, square } from '../lib/places'
import type { SquaresView, Wall } from '../lib/types'

export interface Layer {
  cls: string
  d: string
}

export interface Label {
  x: number
  y: number
  text: string
  cls: string
}

export interface Drawing {
  layers: Layer[]
  labels: Label[]
}

type Same = (dx: number, dy: number) => boolean
type Draw = (pen: Pen, x: number, y: number, same: Same, seed: number) => void

const n = (value: number): string => String(Math.round(value * 10) / 10)

/** Collects path data by class, in the order classes are declared. */
class Pen {
  private paths = new Map<string, string[]>()
  labels: Label[] = []

  add(cls: string, d: string): void {
    const known = this.paths.get(cls)
    if (known) known.push(d)
    else this.paths.set(cls, [d])
  }

  layers(order: readonly string[]): Layer[] {
    const place = (cls: string): number => (order.indexOf(cls) + 1 || order.length + 1)
    return [...this.paths]
      .sort(([one], [other]) => place(one) - place(other))
      .map(([cls, parts]) => ({ cls, d: parts.join('') }))
  }
}

const circle = (x: number, y: number, r: number): string =>
  `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0z`

const box = (x: number, y: number, w: number, h: number): string => `M${n(x)} ${n(y)}h${n(w)}v${n(h)}h${n(-w)}z`

const line = (x: number, y: number, dx: number, dy: number): string => `M${n(x)} ${n(y)}l${n(dx)} ${n(dy)}`

/** A patch that runs on into neighbours of its kind and is rounded where it ends. */
function patch(x: number, y: number, same: Same, inset: number, r: number): string {
  const left = same(-1, 0) ? 0 : inset
  const right = same(1, 0) ? 0 : inset
  const top = same(0, -1) ? 0 : inset
  const bottom = same(0, 1) ? 0 : inset
  const [x0, y0, x1, y1] = [x + left, y + top, x + CELL - right, y + CELL - bottom]
  const nw = left && top ? r : 0
  const ne = right && top ? r : 0
  const se = right && bottom ? r : 0
  const sw = left && bottom ? r : 0
  return (
    `M${x0 + nw} ${y0}H${x1 - ne}Q${x1} ${y0} ${x1} ${y0 + ne}V${y1 - se}Q${x1} ${y1} ${x1 - se} ${y1}` +
    `H${x0 + sw}Q${x0} ${y1} ${x0} ${y1 - sw}V${y0 + nw}Q${x0} ${y0} ${x0 + nw} ${y0}z`
  )
}

/** The open edges of a patch: shore lines, rims. */
function rim(x: number, y: number, same: Same, inset: number): string {
  let d = ''
  if (!same(0, -1)) d += line(x + (same(-1, 0) ? 0 : 16), y + inset, CELL - (same(-1, 0) ? 0 : 16) - (same(1, 0) ? 0 : 16), 0)
  if (!same(0, 1)) d += line(x + (same(-1, 0) ? 0 : 16), y + CELL - inset, CELL - (same(-1, 0) ? 0 : 16) - (same(1, 0) ? 0 : 16), 0)
  if (!same(-1, 0)) d += line(x + inset, y + (same(0, -1) ? 0 : 16), 0, CELL - (same(0, -1) ? 0 : 16) - (same(0, 1) ? 0 : 16))
  if (!same(1, 0)) d += line(x + CELL - inset, y + (same(0, -1) ? 0 : 16), 0, CELL - (same(0, -1) ? 0 : 16) - (same(0, 1) ? 0 : 16))
  return d
}

function wave(x: number, y: number, length: number): string {
  const step = length / 4
  return `M${n(x)} ${n(y)}q${n(step / 2)} -5 ${n(step)} 0t${n(step)} 0t${n(step)} 0t${n(step)} 0`
}

/** A tree's crown: a scalloped round. */
function crown(x: number, y: number, r: number, bumps: number, turn: number): string {
  let d = ''
  for (let i = 0; i <= bumps; i += 1) {
    const angle = turn + (i / bumps) * Math.PI * 2
    const px = x + Math.cos(angle) * r
    const py = y + Math.sin(angle) * r
    const bulge = r * 0.42
    d += i ? `A${n(bulge)} ${n(bulge)} 0 0 1 ${n(px)} ${n(py)}` : `M${n(px)} ${n(py)}`
  }
  return `${d}z`
}

function chunk(x: number, y: number, r: number, luck: number[], at: number): string {
  let d = ''
  const corners = 5
  for (let i = 0; i < corners; i += 1) {
    const angle = (i / corners) * Math.PI * 2 + (luck[at] ?? 0) * 6
    const reach = r * (0.65 + 0.5 * (luck[at + i] ?? 0.5))
    d += `${i ? 'L' : 'M'}${n(x + Math.cos(angle) * reach)} ${n(y + Math.sin(angle) * reach * 0.85)}`
  }
  return `${d}z`
}

const GROVE: [number, number, number][] = [
  [27, 29, 19],
  [70, 24, 17],
  [50, 55, 21],
  [22, 74, 16],
  [78, 72, 19]
]
const WOOD: [number, number, number][] = [
  [36, 36, 30],
  [68, 66, 29],
  [76, 24, 17],
  [22, 77, 17]
]

function trees(stand: [number, number, number][]): Draw {
  return (pen, x, y, same, seed) => {
    const luck = scatter(seed, 60)
    pen.add('ground-trees', patch(x, y, same, 4, 22))
    stand.forEach(([cx, cy, r], i) => {
      const px = x + cx + (luck[i]! - 0.5) * 10
      const py = y + cy + (luck[i + 8]! - 0.5) * 10
      pen.add('tree-shadow', circle(px + 4, py + 5, r))
      pen.add('tree', crown(px, py, r, 8, luck[i + 16]! * 3))
      for (let k = 0; k < 5; k += 1) {
        const angle = luck[20 + i * 5 + k]! * Math.PI * 2
        const reach = r * 0.68 * Math.sqrt(luck[24 + i * 5 + k]!)
        pen.add('tree-dots', circle(px + Math.cos(angle) * reach, py + Math.sin(angle) * reach, 1.7))
      }
    })
  }
}

const earth =
  (name: string, mark: (x: number, y: number) => string): Draw =>
  (pen, x, y, same, seed) => {
    pen.add(`ground-${name}`, patch(x, y, same, 3, 24))
    const luck = scatter(seed, 40)
    for (let i = 0; i < 12; i += 1) pen.add(`marks-${name}`, mark(x + 10 + luck[i]! * 80, y + 10 + luck[i + 14]! * 80))
  }

const floor =
  (ruined: boolean): Draw =>
  (pen, x, y, same, seed) => {
    pen.add('floor', patch(x, y, same, 0, 0))
    for (let i = 0; i < 5; i += 1) pen.add('boards', line(x, y + 10 + i * 20, CELL, 0))
    const luck = scatter(seed, 20)
    for (let i = 0; i < 5; i += 1) pen.add('boards', line(x + 12 + luck[i]! * 76, y + 10 + i * 20 - 20, 0, 20))
    if (ruined)
      for (let i = 0; i < 4; i += 1) pen.add('chunk', chunk(x + 15 + luck[i]! * 70, y + 15 + luck[i + 5]! * 70, 8, luck, i))
  }

const solid =
  (draw: (x: number, y: number) => string): Draw =>
  (pen, x, y, same) => {
    pen.add('block-shadow', patch(x + 4, y + 5, same, 5, 6))
    pen.add('block', patch(x, y, same, 5, 6))
    pen.add('block-ink', patch(x, y, same, 5, 6) + draw(x, y))
  }

function crate(x: number, y: number, size: number): string {
  return box(x, y, size, size * 0.72) + line(x, y, size, size * 0.72) + line(x, y + size * 0.72, size, -size * 0.72)
}

function trap(x: number, y: number, r: number): string {
  return line(x - r, y - r, 2 * r, 2 * r) + line(x - r, y + r, 2 * r, -2 * r) + line(x, y - r * 1.25, 0, r * 2.5)
}

/** A knocked-out machine: the skewed plan of hull, tracks and a bent gun. */
function hulk(x: number, y: number): string {
  return (
    `M${x + 24} ${y + 30}l46 -11l13 46l-46 13z` +
    `M${x + 17} ${y + 33}l5 -1l13 46l-5 1z` +
    `M${x + 74} ${y + 17}l5 -1l13 46l-5 1z` +
    circle(x + 54, y + 49, 13) +
    `M${x + 50} ${y + 36}l-5 -22l4 -1l6 12l-1 11z`
  )
}

function flame(x: number, y: number, h: number): string {
  return `M${n(x)} ${n(y)}c${n(-h * 0.5)} ${n(-h * 0.2)} ${n(-h * 0.3)} ${n(-h * 0.6)} ${n(-h * 0.05)} ${n(-h)}c${n(h * 0.1)} ${n(h * 0.3)} ${n(h * 0.5)} ${n(h * 0.4)} ${n(h * 0.05)} ${n(h)}z`
}

function cloud(pen: Pen, x: number, y: number, seed: number, cls: string): void {
  const luck = scatter(seed, 30)
  const puffs: [number, number, number][] = [
    [30, 34, 26],
    [68, 30, 24],
    [50, 60, 30],
    [22, 70, 20],
    [78, 68, 22]
  ]
  puffs.forEach(([cx, cy, r], i) => {
    const px = x + cx + (luck[i]! - 0.5) * 8
    const py = y + cy + (luck[i + 6]! - 0.5) * 8
    pen.add(cls, circle(px, py, r))
    pen.add('curl', `M${n(px - r * 0.6)} ${n(py + r * 0.1)}a${n(r * 0.6)} ${n(r * 0.6)} 0 0 1 ${n(r * 1.1)} ${n(-r * 0.3)}`)
  })
}

const DRAW: Record<string, Draw> = {
  sand: earth('sand', (x, y) => circle(x, y, 1.6)),
  mud: earth('mud', (x, y) => `M${n(x - 7)} ${n(y)}q7 5 14 0`),
  swamp: earth('swamp', (x, y) => `M${n(x - 8)} ${n(y)}h16M${n(x - 4)} ${n(y)}l-2 -7M${n(x)} ${n(y)}v-9M${n(x + 4)} ${n(y)}l2 -7`),
  water: (pen, x, y, same, seed) => {
    pen.add('ground-water', patch(x, y, same, 4, 26))
    pen.add('shore', rim(x, y, same, 4))
    pen.add('contour', rim(x, y, same, 13))
    const luck = scatter(seed, 6)
    for (let i = 0; i < 3; i += 1) pen.add('waves', wave(x + 14 + luck[i]! * 26, y + 28 + i * 24, 44))
  },
  road: (pen, x, y, same) => {
    const [cx, cy] = [x + 50, y + 50]
    let d = circle(cx, cy, 0.5)
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
      if (same(dx, dy)) d += line(cx, cy, dx * 50, dy * 50)
    }
    pen.add('road-edge', d)
    pen.add('road', d)
    if (same(1, 0) && same(0, 1) && same(1, 1)) pen.add('road-fill', box(cx, cy, 100, 100))
    else pen.add('ruts', d)
  },
  trees: trees(GROVE),
  large_trees: trees(WOOD),
  rubble: (pen, x, y, same, seed) => {
    const luck = scatter(seed, 80)
    pen.add('ground-rubble', patch(x, y, same, 6, 18))
    for (let i = 0; i < 9; i += 1) {
      const px = x + 18 + (i % 3) * 32 + (luck[i]! - 0.5) * 18
      const py = y + 18 + Math.floor(i / 3) * 32 + (luck[i + 10]! - 0.5) * 18
      pen.add('chunk', chunk(px, py, 7 + luck[i + 20]! * 8, luck, 30 + i * 4))
    }
    for (let i = 0; i < 7; i += 1) pen.add('hatch', line(x + 8 + luck[i + 40]! * 76, y + 8 + luck[i + 50]! * 76, 9, -9))
  },
  building: floor(false),
  ruined_house: floor(true),
  large_ruined_house: floor(true),
  structure: solid((x, y) => line(x + 5, y + 5, 90, 90) + line(x + 95, y + 5, -90, 90)),
  impassable: solid((x, y) => line(x + 5, y + 38, 33, -33) + line(x + 5, y + 71, 66, -66) + line(x + 22, y + 95, 73, -73) + line(x + 55, y + 95, 40, -40)),
  quonset_hut: solid((x, y) => [20, 35, 50, 65, 80].map((at) => line(x + 5, y + at, 90, 0)).join('')),
  ammo_dump: solid((x, y) => crate(x + 18, y + 20, 28) + crate(x + 54, y + 22, 28) + crate(x + 20, y + 54, 28) + crate(x + 54, y + 56, 28)),
  bunker: solid((x, y) => `M${x + 22} ${y + 78}L${x + 14} ${y + 34}L${x + 50} ${y + 18}L${x + 86} ${y + 34}L${x + 78} ${y + 78}z` + box(x + 34, y + 40, 32, 8)),
  strongpoint: solid((x, y) => circle(x + 50, y + 50, 32) + box(x + 34, y + 44, 32, 9)),
  fort_wall: solid((x, y) => box(x + 14, y + 14, 72, 72)),
  plinth: solid((x, y) => box(x + 16, y + 16, 68, 68) + box(x + 28, y + 28, 44, 44)),
  lamassu: solid((x, y) => circle(x + 50, y + 30, 11) + `M${x + 30} ${y + 82}V${y + 56}q0 -12 20 -14q20 2 20 14v26z` + line(x + 30, y + 56, -12, -20) + line(x + 70, y + 56, 12, -20)),
  rocket: (pen, x, y) => {
    pen.add('pit', circle(x + 50, y + 50, 40))
    pen.add('block', `M${x + 50} ${y + 12}q16 18 14 46h-28q-2 -28 14 -46z`)
    pen.add('block-ink', `M${x + 50} ${y + 12}q16 18 14 46h-28q-2 -28 14 -46zM${x + 36} ${y + 58}l-12 22l14 -6M${x + 64} ${y + 58}l12 22l-14 -6` + circle(x + 50, y + 38, 5))
  },
  archeological_pit: (pen, x, y) => {
    pen.add('pit', circle(x + 50, y + 50, 42))
    pen.add('hatch', circle(x + 50, y + 50, 42) + circle(x + 50, y + 50, 30) + circle(x + 50, y + 50, 17))
  },
  ammo_crate: (pen, x, y) => {
    pen.add('crate-shadow', box(x + 30, y + 34, 30, 22) + box(x + 51, y + 57, 26, 19))
    pen.add('crate', box(x + 26, y + 30, 30, 22) + box(x + 48, y + 54, 26, 19))
    pen.add('crate-ink', crate(x + 26, y + 30, 30) + crate(x + 48, y + 54, 26))
  },
  tank_trap: (pen, x, y) => {
    const d = trap(x + 28, y + 32, 13) + trap(x + 70, y + 42, 13) + trap(x + 42, y + 72, 13)
    pen.add('trap-shadow', trap(x + 31, y + 36, 13) + trap(x + 73, y + 46, 13) + trap(x + 45, y + 76, 13))
    pen.add('trap', d)
  },
  wreck: (pen, x, y) => {
    pen.add('wreck-shadow', circle(x + 56, y + 54, 36))
    pen.add('wreck', hulk(x, y))
  },
  burning_wreck: (pen, x, y) => {
    pen.add('wreck-shadow', circle(x + 56, y + 54, 36))
    pen.add('wreck', hulk(x, y))
    pen.add('flame', flame(x + 42, y + 52, 30) + flame(x + 62, y + 60, 38))
  },
  trench: (pen, x, y, same) => {
    const across = same(1, 0) || same(-1, 0) || !(same(0, 1) || same(0, -1))
    const d = across
      ? `M${x} ${y + 50}l16 -14h18l16 14h0l16 14h18l16 -14`
      : `M${x + 50} ${y}l-14 16v18l14 16l14 16v18l-14 16`
    pen.add('trench-edge', d)
    pen.add('trench', d)
  },
  wire: (pen, x, y, same) => {
    const across = same(1, 0) || same(-1, 0) || !(same(0, 1) || same(0, -1))
    for (let i = 0; i < 6; i += 1)
      pen.add('wire', across ? circle(x + 8 + i * 17, y + 50, 13) : circle(x + 50, y + 8 + i * 17, 13))
  },
  minefield: (pen, x, y, same) => {
    pen.add('mined', rim(x, y, same, 7))
    for (const [px, py] of [[28, 28], [72, 30], [50, 52], [26, 76], [74, 74]] as const) {
      pen.add('mine', circle(x + px, y + py, 6))
      pen.add('hatch', line(x + px - 10, y + py, 20, 0) + line(x + px, y + py - 10, 0, 20))
    }
  },
  smoke: (pen, x, y, _same, seed) => cloud(pen, x, y, seed, 'smoke'),
  fire_smoke: (pen, x, y, _same, seed) => {
    pen.add('flame', flame(x + 40, y + 88, 30) + flame(x + 62, y + 90, 26))
    cloud(pen, x, y, seed, 'smoke')
  }
}

/** From the ground up; what is not named lies between. */
const GROUND = [
  'ground-sand', 'marks-sand', 'ground-mud', 'marks-mud', 'ground-swamp', 'marks-swamp', 'ground-water', 'contour', 'waves', 'shore',
  'road-edge', 'road', 'road-fill', 'ruts', 'ground-rubble', 'ground-trees', 'floor', 'boards', 'trench-edge', 'trench', 'pit', 'hatch', 'chunk',
  'mined', 'mine', 'wire', 'wreck-shadow', 'wreck', 'crate-shadow', 'crate', 'crate-ink', 'trap-shadow', 'trap', 'tree-shadow', 'tree',
  'tree-dots', 'block-shadow', 'block', 'block-ink', 'flame'
]
const WALLS = ['wall-shadow', 'wall', 'wall-low', 'wall-ticks', 'opening']
const AIR = ['smoke', 'curl']

const HIGH = new Set(['smoke', 'fire_smoke'])

function wall(pen: Pen, one: Wall): void {
  const [from, to] = [square(one.between[0]), square(one.between[1])]
  if (from.level || to.level || (from.x === to.x && from.y === to.y)) return
  const upright = from.y === to.y
  const x = Math.max(from.x, to.x) * CELL
  const y = Math.max(from.y, to.y) * CELL
  const [x0, y0] = upright ? [x, from.y * CELL] : [from.x * CELL, y]
  const along = (start: number, end: number): string =>
    upright ? line(x0, y0 + start, 0, end - start) : line(x0 + start, y0, end - start, 0)
  const low = (one.kind ?? '').includes('low') || one.kind === 'wire'
  const gap = one.opening ? (one.opening === 'small' ? 30 : 46) : 0
  const d = gap ? along(0, 50 - gap / 2) + along(50 + gap / 2, CELL) : along(0, CELL)
  if (low) {
    pen.add('wall-low', d)
    for (let at = 8; at < CELL; at += 14) {
      if (gap && Math.abs(at - 50) < gap / 2) continue
      pen.add('wall-ticks', upright ? line(x0 - 6, y0 + at, 12, 0) : line(x0 + at, y0 - 6, 0, 12))
    }
  } else {
    pen.add('wall-shadow', d)
    pen.add('wall', d)
    if (gap) pen.add('opening', along(50 - gap / 2, 50 + gap / 2))
  }
}

/** The whole board: ground below the counters, and what hangs over them. */
export function drawTerrain(table: SquaresView): { ground: Drawing; air: Drawing } {
  const ground = new Pen()
  const air = new Pen()
  const has = new Map<string, Set<string>>()
  for (const [name, kinds] of Object.entries(table.features)) {
    const at = square(name)
    if (at.level) continue
    for (const kind of kinds) {
      const known = has.get(kind) ?? new Set<string>()
      known.add(`${at.x},${at.y}`)
      has.set(kind, known)
    }
  }
  for (const [kind, cells] of has) {
    const draw = DRAW[kind]
    const pen = HIGH.has(kind) ? air : ground
    for (const cell of cells) {
      const [x, y] = cell.split(',').map(Number) as [number, number]
      const off = (dx: number, dy: number): boolean => x + dx < 0 || y + dy < 0 || x + dx >= table.width || y + dy >= table.height
      const same: Same = (dx, dy) => (off(dx, dy) ? kind !== 'road' || cells.has(`${x - dx},${y - dy}`) : cells.has(`${x + dx},${y + dy}`))
      if (draw) draw(pen, x * CELL, y * CELL, same, x * 131 + y * 977 + 7)
      else {
        pen.add('unknown', circle(x * CELL + 50, y * CELL + 50, 38))
        pen.labels.push({ x: x * CELL + 50, y: y * CELL + 54, text: kind.replaceAll('_', ' '), cls: 'name' })
      }
    }
  }
  for (const one of table.walls) wall(ground, one)
  for (const [name, column] of Object.entries(table.columns ?? {})) {
    const at = square(name)
    if (column.top > 0) ground.labels.push({ x: at.x * CELL + 9, y: at.y * CELL + 21, text: `+${column.top}`, cls: 'floors' })
  }
  return {
    ground: { layers: ground.layers([...GROUND, ...WALLS]), labels: ground.labels },
    air: { layers: air.layers(AIR), labels: air.labels }
  }
}

/** The grid as two paths: fine lines, and every fifth a little stronger. */
export function grid(width: number, height: number): string {
  let d = ''
  for (let x = 1; x < width; x += 1) d += `M${x * CELL} 0V${height * CELL}`
  for (let y = 1; y < height; y += 1) d += `M0 ${y * CELL}H${width * CELL}`
  return d
}
