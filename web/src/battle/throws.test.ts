import { describe, expect, it } from 'vitest'
import type { LogLine } from '../lib/types'
import { groups, latestThrows, throwOf } from './throws'

let n = 0
const line = (kind: string, choice: number, data: Record<string, unknown> = {}, text = kind): LogLine => ({ n: n++, rule: 'x', kind, text, data, choice })
const rolled = (choice: number, stages: [string, string[]][], needs = ['ARMY'], successes = 0): LogLine =>
  line('Rolled', choice, { player: 0, label: 'to hit', stages, needs, successes, unit: 'a1' })

describe('throws', () => {
  it('marks the faces that count', () => {
    const shown = throwOf(rolled(1, [['roll', ['ARMY', 'SHIELD']]]))!
    expect(shown.stages[0]!.dice.map((die) => die.good)).toEqual([true, false])
  })
  it('greys the misses that are rolled again, and keeps the hits', () => {
    const shown = throwOf(rolled(1, [['roll', ['ARMY', 'SHIELD', 'TARGET']], ['re-roll', ['ARMY', 'SHIELD']]]))!
    expect(shown.stages[0]!.dice.map((die) => die.spent)).toEqual([false, true, true])
    expect(shown.stages[1]!.dice.map((die) => die.good)).toEqual([true, false])
  })
  it('greys the hits when they are what is rolled again', () => {
    const shown = throwOf(rolled(1, [['roll', ['ARMY', 'SHIELD', 'TARGET']], ['re-roll', ['SHIELD']]]))!
    expect(shown.stages[0]!.dice.map((die) => die.spent)).toEqual([true, false, false])
    expect(shown.stages[0]!.dice.some((die) => die.good)).toBe(false)
  })
  it('shows only the throws of the last moment', () => {
    const log = [rolled(1, [['roll', ['ARMY']]]), rolled(3, [['roll', ['ARMY']]]), rolled(3, [['roll', ['SHIELD']]]), line('Hits', 3), line('Moved', 4)]
    expect(latestThrows(log)).toHaveLength(2)
    expect(latestThrows([])).toEqual([])
  })
  it('groups the report by turn and activation', () => {
    const log = [line('Deployed', 1), line('TurnBegan', 2), line('Activated', 3, { unit: 'a1' }), line('Moved', 4), line('Activated', 5, { unit: 'b1' })]
    const found = groups(log, (unit) => (unit.startsWith('a') ? 0 : 1))
    expect(found.map((group) => group.title)).toEqual(['Deployment', 'TurnBegan', 'Activated', 'Activated'])
    expect(found.map((group) => group.side)).toEqual([null, null, 0, 1])
    expect(found[2]!.lines).toHaveLength(1)
  })
})
