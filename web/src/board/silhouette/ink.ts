// The ink of silhouettes: a few kinds of marks in a box of 68 by 50 round the origin, facing right, ground at y = 20.
// A mark carries a halo of the ground colour where it cuts itself out of what was drawn before it.

export interface Mark {
  /** fill with a halo, hole, cut line, inked line with a halo, or a fill that joins its neighbour. */
  ink: 'fill' | 'hole' | 'cut' | 'line' | 'join'
  d: string
  /** The width of a line. */
  w?: number
  /** A line that ends where its last point is. */
  blunt?: boolean
  /** Where it is put, as an SVG transform. */
  at?: string
}

export type Style = 'round' | 'faceted' | 'stepped'
type Point = readonly [number, number]

/** The halo on either side of a mark, and the ground line. */
export const HALO = 1.7
export const GROUND = 20

const n = (value: number): string => String(Math.round(value * 10) / 10)
export const corners = (...points: readonly Point[]): string => `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}z`
const round = (x: number, y: number, r: number): string => `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0z`

export const fill = (d: string): Mark[] => [{ ink: 'fill', d }]
export const hole = (d: string): Mark[] => [{ ink: 'hole', d }]
export const join = (d: string): Mark[] => [{ ink: 'join', d }]
export const line = (d: string, w = 3.2, blunt = false): Mark[] => [blunt ? { ink: 'line', d, w, blunt } : { ink: 'line', d, w }]
export const cut = (d: string, w = 1.8): Mark[] => [{ ink: 'cut', d, w }]
export const disc = (x: number, y: number, r: number): Mark[] => fill(round(x, y, r))
export const eye = (x: number, y: number, r: number): Mark[] => hole(round(x, y, r))
export const block = (x: number, y: number, w: number, h: number): Mark[] => fill(corners([x, y], [x + w, y], [x + w, y + h], [x, y + h]))

/** Marks put somewhere, turned and sized. */
export function put(marks: readonly Mark[], x = 0, y = 0, turn = 0, size = 1): Mark[] {
  const where = `translate(${n(x)} ${n(y)})${turn ? ` rotate(${n(turn)})` : ''}${size === 1 ? '' : ` scale(${Math.round(size * 100) / 100})`}`
  return marks.map((mark) => ({ ...mark, at: mark.at ? `${where} ${mark.at}` : where }))
}

/** The same marks side by side across the line of fire. */
export function abreast(count: number, gap: number, one: (y: number) => Mark[]): Mark[] {
  return Array.from({ length: count }, (_, i) => one((i - (count - 1) / 2) * gap)).flat()
}

function rays(x: number, y: number, r: number, points: number, inner: number): string {
  return corners(...Array.from({ length: points * 2 }, (_, i): Point => {
    const far = i % 2 ? r * inner : r
    return [x + far * Math.sin((i * Math.PI) / points), y - far * Math.cos((i * Math.PI) / points)]
  }))
}
export const star = (x: number, y: number, r: number): Mark[] => fill(rays(x, y, r, 5, 0.45))
export const spark = (x: number, y: number, r: number): Mark[] => fill(rays(x, y, r, 4, 0.3))
export const cog = (x: number, y: number, r: number): Mark[] => fill(rays(x, y, r, 8, 0.72))
export const bolt = (x: number, y: number, size = 1): Mark[] => put(fill('M0 -1L7 -7L6 -2L13 -5L4 6L5 1z'), x, y, 0, size)
export const flame = (x: number, y: number, size = 1): Mark[] =>
  put([...fill('M0 0Q3 -6 9 -6Q12 -9 16 -9Q14 -5 18 -3Q15 -1 18 4Q12 3 9 5Q3 5 0 0z'), ...hole('M5 0Q8 -2.5 12 -2Q9 0 11 2Q8 2 5 0z')], x, y, 0, size)
