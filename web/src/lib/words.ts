// A scenario's board as described in words ("road from A5 to L5, tank trap at C5"), drawn in small.

import { column, square } from './places'
import type { SquaresView, Wall } from './types'

const KINDS: [RegExp, string][] = [
  [/^large ruined house/, 'large_ruined_house'],
  [/^ruined house/, 'ruined_house'],
  [/^archeological pit/, 'archeological_pit'],
  [/^rocket/, 'rocket'],
  [/^lamassu/, 'lamassu'],
  [/^large.trees/, 'large_trees'],
  [/^ammo.crate/, 'ammo_crate'],
  [/^ammo.dump/, 'ammo_dump'],
  [/^tank.traps?/, 'tank_trap'],
  [/^quonset huts?/, 'quonset_hut'],
  [/^(mines|minefield)/, 'minefield'],
  [/^(barbed )?wire/, 'wire'],
  [/^plinth/, 'plinth'],
  [/^wreck/, 'wreck'],
  [/^(small )?building/, 'building'],
  [/^tree/, 'trees'],
  [/^burning wreck/, 'burning_wreck'],
  [/^fire smoke/, 'fire_smoke'],
  [/^fort wall/, 'fort_wall'],
  [/^([a-z]+)/, '']
]

function cells(from: string, to: string): string[] {
  const [a, b] = [square(from), square(to)]
  const names: string[] = []
  for (let y = Math.min(a.y, b.y); y <= Math.max(a.y, b.y); y += 1)
    for (let x = Math.min(a.x, b.x); x <= Math.max(a.x, b.x); x += 1) names.push(`${column(x)}${y + 1}`)
  return names
}

/** Walls all round a group of squares. */
function shell(names: string[]): Wall[] {
  const inside = new Set(names)
  const walls: Wall[] = []
  for (const name of names) {
    const at = square(name)
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
      const next = `${column(Math.max(0, at.x + dx))}${at.y + dy + 1}`
      if (!inside.has(next)) walls.push({ between: [name, next] })
    }
  }
  return walls
}

/** A picture of the board, close enough to choose by; null where there is no board of squares. */
export function boardOf(board: { size: [number, number]; terrain?: string[] } | undefined): SquaresView | null {
  if (!board) return null
  const features: Record<string, string[]> = {}
  const walls: Wall[] = []
  for (const text of board.terrain ?? []) {
    const match = KINDS.find(([pattern]) => pattern.test(text))
    const kind = match?.[1] || (/^[a-z]+/.exec(text)?.[0] ?? '')
    const between = /between ([A-Z]\d+) and ([A-Z]\d+)/.exec(text)
    const along = /along (north|south|east|west) of ([A-Z]\d+)(?: to ([A-Z]\d+))?/.exec(text)
    if (between) {
      walls.push({ between: [between[1]!, between[2]!], ...(text.startsWith('low') ? { kind: 'low' } : {}) })
      continue
    }
    if (along) {
      const step = { north: [0, -1], south: [0, 1], east: [1, 0], west: [-1, 0] }[along[1]!]!
      for (const name of cells(along[2]!, along[3] ?? along[2]!)) {
        const at = square(name)
        if (at.x + step[0]! >= 0 && at.y + step[1]! >= 0)
          walls.push({ between: [name, `${column(at.x + step[0]!)}${at.y + step[1]! + 1}`], ...(text.startsWith('low') ? { kind: 'low' } : {}) })
      }
      continue
    }
    const range = /from ([A-Z]\d+) to ([A-Z]\d+)/.exec(text)
    const list = / at ([A-Z]\d+(?:, [A-Z]\d+)*)/.exec(text)
    const names = range ? cells(range[1]!, range[2]!) : (list?.[1]?.split(', ') ?? [])
    for (const name of names) features[name] = [...(features[name] ?? []), kind]
    if (/building|house/.test(kind)) walls.push(...shell(names))
  }
  return { kind: 'squares', width: board.size[0], height: board.size[1], features, walls }
}
