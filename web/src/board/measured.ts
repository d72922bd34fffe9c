// Terrain of measured tables: which of our drawings fits a kind, and plans of scenarios as small maps.

import type { Scenario } from '../lib/types'

const KINDS: [RegExp, string][] = [
  [/smoke/, 'smoke'],
  [/wreck/, 'wreck'],
  [/trap|obstacle/, 'traps'],
  [/crate(?!r)|dump/, 'crate'],
  [/mine/, 'mines'],
  [/trench|foxhole/, 'trench'],
  [/hedge/, 'hedge'],
  [/crop|wheat|field/, 'crops'],
  [/scrub|bush|brush/, 'scrub'],
  [/sandbag|strongpoint|barricade/, 'sandbags'],
  [/fence|wire/, 'fence'],
  [/wall/, 'wall'],
  [/sand/, 'sand'],
  [/^mud/, 'mud'],
  [/crater|pit/, 'craters'],
  [/^rocket/, 'crate'],
  [/rock|impassable|plinth|lamassu|^structure|cliff/, 'rocks'],
  [/gully|ravine|ditch/, 'gully'],
  [/rubble/, 'stones'],
  [/wood|tree|forest|jungle/, 'wood'],
  [/water|river|sea|lake/, 'water'],
  [/ruin/, 'ruin'],
  [/build|house|bunker|hut/, 'house'],
  [/hill|knoll/, 'hill'],
  [/bog|marsh|swamp|mud/, 'bog'],
  [/road/, 'road']
]
/** What lies under what. */
const UNDER = ['hill', 'bog', 'sand', 'mud', 'water', 'road', 'rough', 'mines', 'crops', 'scrub', 'gully', 'trench', 'craters', 'stones', 'rocks', 'traps', 'crate', 'wreck', 'wood', 'ruin', 'house', 'hedge', 'sandbags', 'wall', 'fence', 'smoke']

/** The drawing for a kind of terrain. */
export const known = (kind: string): string => KINDS.find(([pattern]) => pattern.test(kind))?.[1] ?? 'rough'

/** Terrain in the order it is drawn. */
export const layered = <T extends { kind: string }>(pieces: readonly T[]): T[] =>
  [...pieces].sort((one, other) => UNDER.indexOf(known(one.kind)) - UNDER.indexOf(known(other.kind)))

export interface PlanPiece {
  look: string
  d: string
  /** The width of a line; 0 for an area. */
  width: number
}

export interface Plan {
  width: number
  height: number
  pieces: PlanPiece[]
}

const box = ([x, y, w, h]: readonly number[]): string => `M${x} ${y}h${w}v${h}h-${w}z`
const through = (points: readonly (readonly number[])[]): string => `M${points.map(([x, y]) => `${x} ${y}`).join('L')}`

/** A scenario of a measured table as a small map, in inches; null for one of squares. */
export function planOf(scenario: Scenario): Plan | null {
  const { size, terrain } = scenario
  if (!size || !terrain) return null
  const pieces = layered(terrain).map((piece): PlanPiece => {
    const look = known(piece.kind)
    if (piece.line) return { look, d: through(piece.line), width: piece.width ?? (look === 'road' ? 3.5 : 0.6) }
    if (piece.points) return { look, d: `${through(piece.points)}z`, width: 0 }
    const [x, y] = [piece.at?.[0] ?? 0, piece.at?.[1] ?? 0]
    if (piece.radius) return { look, d: `M${x - piece.radius} ${y}a${piece.radius} ${piece.radius} 0 1 0 ${2 * piece.radius} 0a${piece.radius} ${piece.radius} 0 1 0 ${-2 * piece.radius} 0z`, width: 0 }
    const boxes = piece.boxes ?? (piece.at && piece.size ? [[...piece.at, ...piece.size]] : [])
    return { look, d: boxes.map(box).join(''), width: 0 }
  })
  return { width: size[0] ?? 48, height: size[1] ?? 48, pieces }
}
