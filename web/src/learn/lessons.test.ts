import { describe, expect, it } from 'vitest'
import type { LogLine, Snapshot } from '../lib/types'
import { LESSONS, progress } from './lessons'

const line = (kind: string, rule: string, data: Record<string, unknown> = {}): LogLine => ({ n: 0, rule, kind, text: '', data, choice: 0 })

function game(log: LogLine[], key = '', mine = true): Snapshot {
  return { you: 0, log, view: { units: [{ id: 'a1', side: 0 }, { id: 'b1', side: 1 }] }, decision: key ? { key, mine } : null } as unknown as Snapshot
}

describe('the guided battle', () => {
  it('begins with setting up', () => {
    expect(progress(game([], 'deploy-unit')).now.id).toBe('deploy')
  })

  it('counts what the learner did, not what the enemy did', () => {
    const told = progress(game([line('TurnBegan', ''), line('Activated', '', { unit: 'b1' })]))
    expect([...told.done]).toEqual(['deploy'])
    expect(progress(game([line('TurnBegan', ''), line('Activated', '', { unit: 'a1' })])).done.has('activate')).toBe(true)
  })

  it('tells the lesson of the decision at hand until it is done', () => {
    expect(progress(game([line('TurnBegan', '')], 'react')).now.id).toBe('react')
    expect(progress(game([line('TurnBegan', ''), line('Reacts', 'd47.reactive.roll')], 'react')).now.id).toBe('activate')
  })

  it('does not speak about the decisions of others', () => {
    expect(progress(game([line('TurnBegan', '')], 'react', false)).now.id).toBe('activate')
  })

  it('has a rule for every lesson', () => {
    expect(LESSONS.every((lesson) => lesson.rule.startsWith('d47.'))).toBe(true)
  })
})
