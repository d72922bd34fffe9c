import { describe, expect, it } from 'vitest'
import type { LogLine, Snapshot } from '../lib/types'
import type { Lesson } from '../lib/api-types'
import { progress } from './progress'

const line = (kind: string, rule: string, data: Record<string, unknown> = {}): LogLine => ({ n: 0, rule, kind, text: '', data, choice: 0 })
const step = (id: string, event: string, more: object = {}, at: string[] = []): Lesson['steps'][number] => ({
  id, title: id, text: '', hint: '', rule: 'x.y', at, chance: false, done: { event, rule: '', side: 'mine', about: {}, ...more }
})
const lesson = {
  steps: [step('begin', 'TurnBegan', { side: 'any', about: { turn: 1 } }), step('act', 'Activated', {}, ['activate']), step('react', 'Reacts', { rule: 'x.react', side: 'any' }, ['react'])],
  asides: [{ title: 'Losses', text: 'You choose who falls.', at: ['casualty'] }]
} as unknown as Lesson

function game(log: LogLine[], key = '', mine = true): Snapshot {
  return { you: 0, log, view: { units: [{ id: 'a1', side: 0 }, { id: 'b1', side: 1 }] }, decision: key ? { key, mine } : null } as unknown as Snapshot
}
const begun = line('TurnBegan', '', { turn: 1 })

describe('a battle with a coach', () => {
  it('begins with the first step', () => {
    expect(progress(game([]), lesson).now.id).toBe('begin')
  })

  it('does not speak of units that are lost', () => {
    const steps = [{ ...step('act', 'Activated', {}, ['activate']), text: 'One unit after the other.', hint: 'Begin with the Pounder.' }, step('react', 'Reacts')]
    const taught = { steps, asides: [] } as unknown as Lesson
    const withPounder = (status: string): Snapshot => {
      const now = game([line('Activated', '', { unit: 'a1' })], 'activate')
      return { ...now, view: { ...now.view, units: [{ id: 'a1', side: 0, name: 'Pounder', status }] } } as unknown as Snapshot
    }
    expect(progress(withPounder('board'), taught).advice.text).toBe('Begin with the Pounder.')
    expect(progress(withPounder('lost'), taught).advice.text).toBe('One unit after the other.')
  })

  it('counts what the learner did, not what the enemy did', () => {
    expect([...progress(game([begun, line('Activated', '', { unit: 'b1' })]), lesson).done]).toEqual(['begin'])
    expect(progress(game([begun, line('Activated', '', { unit: 'a1' })]), lesson).done.has('act')).toBe(true)
    expect(progress(game([begun, line('Activated', '', { player: 0 })]), lesson).done.has('act')).toBe(true)
  })

  it('waits for the rule and the data of an event', () => {
    expect(progress(game([line('TurnBegan', '', { turn: 2 })]), lesson).done.size).toBe(0)
    expect(progress(game([line('Reacts', 'x.other', { unit: 'b1' })]), lesson).done.size).toBe(0)
    expect([...progress(game([line('Reacts', 'x.react.roll', { unit: 'b1' })]), lesson).done]).toEqual(['react'])
  })

  it('tells the step of the decision at hand until it is done', () => {
    expect(progress(game([begun], 'react'), lesson).now.id).toBe('react')
    expect(progress(game([begun, line('Reacts', 'x.react')], 'react'), lesson).now.id).toBe('act')
  })

  it('speaks of the decision at hand: a known step in short, an aside, and only else of what comes next', () => {
    expect(progress(game([begun], 'react'), lesson).advice.kind).toBe('step')
    expect(progress(game([begun, line('Reacts', 'x.react')], 'react'), lesson).advice).toMatchObject({ kind: 'known', title: 'react' })
    expect(progress(game([begun], 'casualty'), lesson).advice).toMatchObject({ kind: 'aside', title: 'Losses' })
    expect(progress(game([begun], 'something'), lesson).advice).toMatchObject({ kind: 'next', title: 'act' })
  })

  it('does not speak about the decisions of others', () => {
    expect(progress(game([begun], 'react', false), lesson).now.id).toBe('act')
  })
})
