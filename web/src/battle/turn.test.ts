import { describe, expect, it } from 'vitest'
import type { LogLine, View } from '../lib/types'
import { drawnThisTurn, inWords } from './turn'

const line = (kind: string, data: Record<string, unknown>): LogLine => ({ n: 0, rule: '', kind, text: '', data, choice: 0 })

describe('where in the turn we are', () => {
  it('tells the dice drawn this turn with their orders', () => {
    const log = [line('DieDrawn', { side: 0, cup: [2, 2] }), line('TurnBegan', {}), line('DieDrawn', { side: 1, cup: [2, 2] }), line('Ordered', { unit: 'a', order: 'fire' }), line('DieDrawn', { side: 0, cup: [2, 1] })]
    expect(drawnThisTurn(log)).toEqual([{ side: 1, order: 'fire' }, { side: 0, order: '' }])
  })
  it('says the step and what is left', () => {
    const view = { steps: [{ name: 'Orders', now: true }], pools: [{ name: 'In the cup', left: [3, 2], total: [5, 5] }] } as unknown as View
    expect(inWords(view)).toBe('Orders 3:2')
  })
})
