// Puzzles: positions in which one activation is clearly best. What there is, how one is begun, and what was made of it.

import { get, post } from '../lib/api'
import type { Created, PuzzleRow, PuzzleVerdict } from '../lib/api-types'
import { keepSeats } from '../lib/begin'
import type { Snapshot } from '../lib/types'
import { once } from '../rules/library'

export type { PuzzleRow, PuzzleVerdict } from '../lib/api-types'

const ORIGIN = 'puzzle:'
const nameOf = (one: Pick<PuzzleRow, 'ruleset' | 'id'>): string => `${one.ruleset}/${one.id}`

export const puzzles = (): Promise<PuzzleRow[]> => once<PuzzleRow[]>('/puzzles')
export const daily = (): Promise<PuzzleRow> => once<PuzzleRow>('/puzzles/daily')

/** Did a battle begin at a puzzle? */
export const isPuzzle = (game: Pick<Snapshot, 'origin'>): boolean => game.origin?.startsWith(ORIGIN) ?? false

/** Begin a battle at the position of a puzzle; the address of its table comes back. */
export async function start(puzzle: Pick<PuzzleRow, 'ruleset' | 'id' | 'title'>): Promise<string> {
  const begun = await post<Created>(`/puzzles/${puzzle.ruleset}/${puzzle.id}/branch`)
  keepSeats(begun, begun.table.token, `Puzzle: ${puzzle.title}`)
  return begun.table.link
}

export const verdict = (game: string, token: string, solution = false): Promise<PuzzleVerdict> =>
  get<PuzzleVerdict>(`/games/${game}/puzzle${solution ? '?solution=true' : ''}`, token)

const THEMES: Record<string, string> = {
  attack: 'Shooting',
  assault: 'Assault',
  move: 'Movement',
  deploy: 'Deployment',
  react: 'Reactions',
  rally: 'Rally',
  support: 'Orders and support',
  build: 'Works and smoke',
  ride: 'Transport',
  wait: 'Holding back',
  objective: 'Objectives'
}

export const themeName = (theme: string): string => THEMES[theme] ?? 'Other'

/** Every theme that comes up, the most frequent first, with how many puzzles have it. */
export function themesOf(all: readonly PuzzleRow[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const theme of all.flatMap((one) => one.themes)) counts.set(theme, (counts.get(theme) ?? 0) + 1)
  return [...counts].sort((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]))
}

/** What each puzzle is called: those of one game with one title get numbers. */
export function titlesOf(all: readonly PuzzleRow[]): Map<string, string> {
  const alike = new Map<string, PuzzleRow[]>()
  for (const one of all) alike.set(`${one.ruleset} ${one.title}`, [...(alike.get(`${one.ruleset} ${one.title}`) ?? []), one])
  return new Map([...alike.values()].flatMap((group) => group.map((one, n): [string, string] => [nameOf(one), group.length > 1 ? `${one.title} (${n + 1})` : one.title])))
}

/** The puzzle after this one of the same game, and the first after the last. */
export function following(all: readonly PuzzleRow[], now: Pick<PuzzleRow, 'ruleset' | 'id'>): PuzzleRow | undefined {
  const same = all.filter((one) => one.ruleset === now.ruleset)
  return same[(same.findIndex((one) => one.id === now.id) + 1) % same.length]
}

// -- what this browser has solved -------------------------------------------------------------------

const KEPT = 'dieselfront.puzzles'

/** How each puzzle ended that was tried here: only the first try counts. */
export function results(): Record<string, boolean> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Record<string, boolean>
  } catch {
    return {}
  }
}

export function keepResult(puzzle: Pick<PuzzleRow, 'ruleset' | 'id'>, right: boolean): void {
  const known = results()
  if (nameOf(puzzle) in known) return
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...known, [nameOf(puzzle)]: right }))
  } catch {
    // a browser that keeps nothing forgets this, too
  }
}

export const resultOf = (known: Record<string, boolean>, puzzle: Pick<PuzzleRow, 'ruleset' | 'id'>): boolean | undefined => known[nameOf(puzzle)]
