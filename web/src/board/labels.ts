// Labels that give way: beside what they name, inside the table, never over another label, a flag or a counter.

export interface Rect {
  x: number
  y: number
  w: number
  h: number
}

/** What a label must not cover (`hard`), or had better not: the dearer, the heavier. */
export interface Obstacle extends Rect {
  weight: number
  hard?: boolean
}

export interface Wish {
  id: string
  /** What it names. */
  about: Rect
  /** Its sizes, the one it would like best first. */
  sizes: readonly { w: number; h: number }[]
  /** A label that may be left out where there is no room. */
  optional?: boolean
  /** Other places it may stand at as well, the worse the later: along a tape, for instance. */
  or?: readonly Rect[]
  /** The part of the room that is in sight: where what it names is seen, it stands there, too. */
  seen?: Rect
}

export interface Placed extends Rect {
  id: string
  /** Which of its sizes it got. */
  size: number
  /** A line from the label to what it names, where that is not beside it. */
  lead: readonly [number, number, number, number] | null
}

const PAD = 2
const GAPS = [4, 9, 16, 26, 40, 58, 80]
const SHIFTS = [0.5, 0.25, 0.75, 0, 1]
const FAR = 22
/** What weighs as much is covered only where there is no other place. */
const HEAVY = 6
/** What a line to a label costs that crosses another label, or models. */
const CROSSED = 240
/** What it costs to stand nearer to what another label names. */
const ASTRAY = 110
/** How much farther away a label with its name may be than one without. */
const SMALLER = 130
const OPTIONAL = 260

export const overlap = (a: Rect, b: Rect): number => {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
  return w > 0 && h > 0 ? w * h : 0
}
const gap = (a: Rect, b: Rect): number => Math.hypot(Math.max(0, a.x - b.x - b.w, b.x - a.x - a.w), Math.max(0, a.y - b.y - b.h, b.y - a.y - a.h))
const grown = (box: Rect, by: number): Rect => ({ x: box.x - by, y: box.y - by, w: box.w + 2 * by, h: box.h + 2 * by })
const within = (box: Rect, room: Rect): boolean => box.x >= room.x && box.y >= room.y && box.x + box.w <= room.x + room.w && box.y + box.h <= room.y + room.h

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value))

/** Places round a box, the nearest first, above and below before the sides; at the edge of the room they slide along it. */
function* round(about: Rect, w: number, h: number, room: Rect): Generator<Rect & { cost: number }> {
  for (const gap of GAPS)
    for (const [rank, side] of ['n', 's', 'e', 'w'].entries())
      for (const shift of SHIFTS) {
        const level = side === 'n' || side === 's'
        const corner = shift === 0 || shift === 1
        const wished = level ? (corner ? about.x - w + (about.w + w) * shift : about.x + (about.w - w) * shift) : side === 'e' ? about.x + about.w + gap : about.x - gap - w
        const lowered = level ? (side === 'n' ? about.y - gap - h : about.y + about.h + gap) : about.y + (about.h - h) * shift
        const x = level && !corner ? clamp(wished, room.x, room.x + room.w - w) : wished
        const y = level ? lowered : clamp(lowered, room.y, room.y + room.h - h)
        yield { x, y, w, h, cost: gap * 2 + rank * 4 + Math.abs(shift - 0.5) * 6 }
      }
}

/** Any place in the room, the nearest first. */
function anywhere(about: Rect, w: number, h: number, room: Rect): (Rect & { cost: number })[] {
  const [cx, cy] = [about.x + about.w / 2, about.y + about.h / 2]
  const spots: (Rect & { cost: number })[] = []
  for (let y = room.y; y + h <= room.y + room.h; y += 9)
    for (let x = room.x; x + w <= room.x + room.w; x += 11) spots.push({ x, y, w, h, cost: 60 + 2 * Math.hypot(x + w / 2 - cx, y + h / 2 - cy) })
  return spots.sort((a, b) => a.cost - b.cost)
}

/** Do a line and a box meet? */
export function crosses([ax, ay, bx, by]: readonly [number, number, number, number], box: Rect): boolean {
  let [from, to] = [0, 1]
  for (const [start, far, low, high] of [[ax, bx - ax, box.x, box.x + box.w], [ay, by - ay, box.y, box.y + box.h]] as const) {
    if (Math.abs(far) < 1e-6) {
      if (start < low || start > high) return false
      continue
    }
    const [one, other] = [(low - start) / far, (high - start) / far]
    from = Math.max(from, Math.min(one, other))
    to = Math.min(to, Math.max(one, other))
  }
  return from <= to
}

/** Where every label goes, in the order of their rights: who decides first, then the others. */
export function place(wishes: readonly Wish[], obstacles: readonly Obstacle[], room: Rect): Placed[] {
  const taken: Rect[] = obstacles.filter((one) => one.hard)
  const models = obstacles.filter((one) => !one.hard && one.weight >= HEAVY)
  const soft = obstacles.filter((one) => !one.hard)
  const others = wishes.filter((one) => !one.optional && !one.or).map((one) => one.about)
  const leads: Lead[] = []
  const tableIn = (part: Rect): Room => ({
    room: part,
    free: (box) => within(box, part) && taken.every((one) => !overlap(grown(box, PAD), one)),
    clear: (box) => within(box, part) && taken.every((one) => !overlap(grown(box, PAD), one)) && models.every((one) => !overlap(box, one)) && leads.every((lead) => !crosses(lead, box)),
    price: (box, about) => {
      const lead = leadOf(box, about)
      const crossed = lead ? taken.filter((one) => crosses(lead, one)).length * CROSSED + models.filter((one) => !overlap(one, about) && crosses(lead, one)).length * 40 : 0
      const middle = { x: box.x + box.w / 2, y: box.y + box.h / 2, w: 0, h: 0 }
      const own = gap(middle, about)
      const astray = others.filter((one) => one !== about && gap(middle, one) < own - 1).length * ASTRAY
      return crossed + astray + soft.reduce((sum, one) => sum + overlap(grown(box, PAD), one) * one.weight, 0)
    }
  })
  const placed: Placed[] = []
  for (const wish of wishes) {
    const table = tableIn(shown(wish, room))
    const spot = beside(wish, table.clear, table) ?? (wish.optional ? null : (elsewhere(wish, table.clear, table.room) ?? beside(wish, table.free, table) ?? elsewhere(wish, table.free, table.room)))
    if (!spot) continue
    const { x, y, w, h, size, about } = spot
    const lead = leadOf(spot, about)
    taken.push({ x, y, w, h })
    if (lead) leads.push(lead)
    placed.push({ id: wish.id, x, y, w, h, size, lead })
  }
  return placed
}

/** The part of the room a label may stand in: what is in sight, if it names something there and fits. */
function shown({ about, or = [], seen, sizes }: Wish, room: Rect): Rect {
  if (!seen) return room
  const [x, y] = [Math.max(room.x, seen.x), Math.max(room.y, seen.y)]
  const part = { x, y, w: Math.min(room.x + room.w, seen.x + seen.w) - x, h: Math.min(room.y + room.h, seen.y + seen.h) - y }
  const fits = sizes.some(({ w, h }) => w <= part.w && h <= part.h)
  return fits && [about, ...or].some((one) => overlap(grown(one, 1), part)) ? part : room
}

type Lead = readonly [number, number, number, number]
type Spot = Rect & { size: number; about: Rect }
interface Room {
  room: Rect
  free: (box: Rect) => boolean
  clear: (box: Rect) => boolean
  price: (box: Rect, about: Rect) => number
}

/** The best place near what it names. */
function beside(wish: Wish, may: (box: Rect) => boolean, { room, price }: Room): Spot | null {
  let best: (Spot & { cost: number }) | null = null
  for (const [rank, about] of [wish.about, ...(wish.or ?? [])].entries())
    for (const [size, { w, h }] of wish.sizes.entries())
      for (const spot of round(about, w, h, room)) {
        const least = spot.cost + size * SMALLER + rank * 7
        if ((best && least >= best.cost) || !may(spot)) continue
        const cost = least + price(spot, about)
        if (!best || cost < best.cost) best = { ...spot, size, about, cost }
      }
  return best && wish.optional && best.cost > OPTIONAL ? null : best
}

/** The nearest place anywhere, as small as it can be. */
function elsewhere(wish: Wish, may: (box: Rect) => boolean, room: Rect): Spot | null {
  const size = wish.sizes.length - 1
  const { w, h } = wish.sizes[size]!
  const spot = anywhere(wish.about, w, h, room).find(may)
  return spot ? { ...spot, size, about: wish.about } : null
}

/** A line to what a label names, where it does not stand beside it. */
function leadOf(box: Rect, about: Rect): Lead | null {
  const [cx, cy] = [about.x + about.w / 2, about.y + about.h / 2]
  const [fx, fy] = [clamp(cx, box.x + 4, box.x + box.w - 4), clamp(cy, box.y, box.y + box.h)]
  const [tx, ty] = [clamp(fx, about.x, about.x + about.w), clamp(fy, about.y, about.y + about.h)]
  if (Math.hypot(tx - fx, ty - fy) <= FAR) return null
  // A formation seldom fills the corners of its box: the line ends a little inside.
  const [inX, inY] = [about.w / 5, about.h / 5]
  return [fx, fy, clamp(tx, about.x + inX, about.x + about.w - inX), clamp(ty, about.y + inY, about.y + about.h - inY)]
}

const NARROW = /[ ilIjtf.,'’"″:1|()-]/
/** About how wide some words are in the condensed type, a little more rather than less. */
export const widthOf = (words: string, size: number): number => [...words].reduce((sum, letter) => sum + (NARROW.test(letter) ? 0.3 : /[mwMW]/.test(letter) ? 0.64 : /[A-Z]/.test(letter) ? 0.48 : 0.44), 0) * size

const FILLER = /^(squad|team|the|section)$/i
/** Words that everybody knows by their letters. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/\bmedium machine ?gun\b/i, 'MMG'],
  [/\bheavy machine ?gun\b/i, 'HMG'],
  [/\blight machine ?gun\b/i, 'LMG'],
  [/\banti-tank\b/i, 'AT'],
  [/\banti-aircraft\b/i, 'AA'],
  [/\bmachine ?gun\b/i, 'MG'],
  [/\bforward artillery observer\b/i, 'Artillery Observer']
]
/** A unit's name as it fits on a label: filler words go, what has letters gets them, the first words go next, its number stays. */
export function labelName(name: string, most = 23): string {
  const number = / \d+$/.exec(name)?.[0] ?? ''
  const plain = (name.split(' + ')[0] ?? name).replace(/ \d+$/, '').replace(/[“”]/g, '').replace(/"/g, '″')
  const words = plain.split(/\s+/)
  const kept = words.filter((word) => !FILLER.test(word))
  const fits = (all: readonly string[], room = most): boolean => all.join(' ').length + number.length <= room
  let short = kept.length ? kept : words
  for (const [long, letters] of SHORT) if (!fits(short, most - 5)) short = short.join(' ').replace(long, letters).split(' ')
  while (short.length > 1 && (!fits(short) || /^cal\.?$/i.test(short[0]!))) short = short.slice(1)
  return `${short.join(' ').slice(0, most)}${number}`
}

/** Short names by full names: where two would be the same, both stay long. */
export function labelNames(names: readonly string[]): Map<string, string> {
  const short = new Map(names.map((name) => [name, labelName(name)]))
  const count = new Map<string, number>()
  for (const one of short.values()) count.set(one, (count.get(one) ?? 0) + 1)
  return new Map([...short].map(([name, one]) => [name, count.get(one)! > 1 ? name : one]))
}
