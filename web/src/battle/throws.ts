// A throw from the log, die by die: which faces count, what was rolled again.

import type { LogLine } from '../lib/types'

export interface ShownDie {
  face: string
  good: boolean
  spent: boolean
}

export interface ShownStage {
  name: string
  dice: ShownDie[]
}

export interface Throw {
  n: number
  rule: string
  label: string
  player: number
  unit: string
  needs: string[]
  successes: number
  /** Of a test: how it came out. */
  verdict: string
  stages: ShownStage[]
}

interface Dice {
  player: number
  label: string
  stages: [string, string[]][]
  unit?: string
  needs?: string[]
  successes?: number
  total?: number
  needed?: number
  passed?: boolean
  cup?: number[]
}

/** A line of the log as a throw, or null if no dice fell. An order die drawn from a cup is no throw. */
export function throwOf(line: LogLine): Throw | null {
  const data = line.data as unknown as Dice
  if (!Array.isArray(data.stages) || !data.stages.length || data.cup) return null
  const { stages } = data
  const needs = data.needs ?? []
  const sum = stages.flatMap(([, faces]) => faces).reduce((total, face) => total + (Number(face) || 0), 0)
  return {
    n: line.n,
    rule: line.rule,
    label: data.label,
    player: data.player,
    unit: data.unit ?? '',
    needs,
    successes: data.successes ?? data.total ?? sum,
    verdict: data.passed === undefined ? '' : `${data.passed ? 'passed' : 'failed'}, ${data.needed} or less`,
    stages: stages.map(([name, faces], i) => {
      const again = stages[i + 1]
      // Misses that are rolled again are spent; so are successes that must be.
      const missesAgain = again?.[0] === 're-roll' && again[1].length === faces.filter((face) => !needs.includes(face)).length
      const hitsAgain = again?.[0] === 're-roll' && !missesAgain
      return {
        name,
        dice: faces.map((face) => {
          const good = needs.includes(face)
          return { face, good: good && !hitsAgain, spent: (missesAgain && !good) || (hitsAgain && good) }
        })
      }
    })
  }
}

/** The throws of the latest moment in which dice fell. */
export function latestThrows(log: readonly LogLine[]): Throw[] {
  let last = log.length - 1
  while (last >= 0 && !throwOf(log[last]!)) last -= 1
  if (last < 0) return []
  const choice = log[last]!.choice
  let first = last
  while (first > 0 && log[first - 1]!.choice === choice) first -= 1
  return log
    .slice(first, last + 1)
    .map(throwOf)
    .filter((one): one is Throw => one !== null)
}

/** Where a reason stands in the report: at the first line that came of its choice. */
export function reasoned(log: readonly LogLine[], explained: readonly number[]): Map<number, number> {
  const choices = new Map<number, number>()
  const wanted = [...explained].sort((one, other) => one - other)
  let next = 0
  for (const line of log) {
    while (next + 1 < wanted.length && line.choice >= wanted[next + 1]!) next += 1
    const choice = wanted[next]
    if (choice === undefined) break
    if (line.choice < choice) continue
    choices.set(line.n, choice)
    next += 1
  }
  return choices
}

export interface Group {
  key: number
  title: string
  side: number | null
  turn: boolean
  lines: LogLine[]
}

/** Events that open a group of their own: somebody begins to act, or to act again in another's turn. */
const OPENS = new Set(['Activated', 'Ordered', 'Reacted'])
/** Events between activations: what follows is no longer the business of whoever acted last. */
const BETWEEN = new Set(['PhaseBegan', 'TurnEnded', 'DieDrawn'])

/** The log as a battle report: turns, and the lines of each activation. */
export function groups(log: readonly LogLine[], sideOf: (unit: string) => number | null): Group[] {
  const report: Group[] = []
  /** Activations that were opened one right after the other: their lines come mixed. */
  let together = new Map<string, Group>()
  /** A die drawn for the next activation, which takes it in. */
  let drawn: LogLine | null = null
  for (const line of log) {
    const last = report[report.length - 1]
    const unit = String(line.data['unit'] ?? '')
    const opens = OPENS.has(line.kind) && line.data['unit'] !== undefined
    const turn = line.kind === 'TurnBegan' || line.kind === 'GameEnded'
    if (opens && last && drawn) {
      Object.assign(last, { title: line.text, side: sideOf(unit), lines: [drawn] })
      together = new Map([[unit, last]])
    } else if (opens || turn || BETWEEN.has(line.kind)) {
      const group = { key: line.n, title: line.text, side: opens ? sideOf(unit) : null, turn, lines: [] }
      report.push(group)
      const mixed = opens && last && together.size > 0 && [...together.values()].every((one) => one.lines.every((entry) => entry.kind === 'DieDrawn'))
      if (!mixed) together = new Map()
      if (opens) together.set(unit, group)
    } else if (!last) {
      report.push({ key: line.n, title: 'Deployment', side: null, turn: true, lines: [line] })
    } else {
      ;(together.get(unit) ?? last).lines.push(line)
    }
    drawn = line.kind === 'DieDrawn' ? line : null
  }
  return report
}
