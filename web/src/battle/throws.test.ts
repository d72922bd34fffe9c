import { reasoned } from './throws'
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
    const report = groups(log, (unit) => (unit.startsWith('a') ? 0 : 1))
    expect(report.map((group) => group.title)).toEqual(['Deployment', 'TurnBegan', 'Activated', 'Activated'])
    expect(report.map((group) => group.side)).toEqual([null, null, 0, 1])
    expect(report[2]!.lines).toHaveLength(1)
  })
  it('gives a die that is drawn to the activation that follows it', () => {
    const log = [line('TurnBegan', 1), line('Ordered', 2, { unit: 'a1' }), line('Moved', 2, { unit: 'a1' }), line('DieDrawn', 3), line('Ordered', 3, { unit: 'b1' }, 'b1 acts')]
    const report = groups(log, (unit) => (unit.startsWith('a') ? 0 : 1))
    expect(report.map((group) => group.title)).toEqual(['TurnBegan', 'Ordered', 'b1 acts'])
    expect(report.map((group) => group.lines.map((one) => one.kind))).toEqual([[], ['Moved'], ['DieDrawn']])
    expect(groups(log.slice(0, 4), () => 0).map((group) => group.title)).toEqual(['TurnBegan', 'Ordered', 'DieDrawn'])
  })
  it('keeps the lines of units that act together apart, and a target under whoever shot at it', () => {
    const log = [
      line('DieDrawn', 1),
      line('Ordered', 1, { unit: 'a1' }, 'the officer'),
      line('Ordered', 2, { unit: 'a2' }, 'the squad'),
      line('Moved', 3, { unit: 'a1' }),
      line('Moved', 4, { unit: 'a2' }),
      line('Lost', 4, { unit: 'b1' }),
      line('Activated', 5, { unit: 'b1' }, 'the enemy'),
      line('Lost', 6, { unit: 'a1' })
    ]
    const report = groups(log, (unit) => (unit.startsWith('a') ? 0 : 1))
    expect(report.map((group) => [group.title, group.lines.length])).toEqual([['the officer', 2], ['the squad', 2], ['the enemy', 1]])
  })
  it('tells phases and the end of a turn under headings of their own', () => {
    const log = [line('Activated', 1, { unit: 'a1' }), line('TurnEnded', 2), line('Scored', 2), line('PhaseBegan', 3)]
    expect(groups(log, () => 0).map((group) => [group.title, group.lines.length])).toEqual([['Activated', 0], ['TurnEnded', 1], ['PhaseBegan', 0]])
  })
})

describe('reasons', () => {
  it('stand at the first line that came of their choice', () => {
    const at = (n: number, choice: number): LogLine => ({ n, choice, rule: '', kind: 'Moved', text: '', data: {} })
    const log = [at(0, 1), at(1, 2), at(2, 2), at(3, 5), at(4, 9), at(5, 9)]
    expect([...reasoned(log, [2, 4, 9])]).toEqual([
      [1, 2],
      [3, 4],
      [4, 9]
    ])
    // A choice of which nothing came to be shown is passed over for the next.
    expect([...reasoned(log, [6, 7, 9])]).toEqual([[4, 9]])
    expect([...reasoned(log, [])]).toEqual([])
  })
})
