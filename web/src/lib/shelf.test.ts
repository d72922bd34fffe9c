import { describe, expect, it } from 'vitest'
import type { MyGame } from './api-types'
import { merged, type Kept } from './shelf'

const kept = (id: string): Kept => ({ id, token: 'token', title: id, note: '', at: 0, over: false })
const mine = (game: string, seat: number, your_turn: boolean, over = false): MyGame => ({ game, ruleset: 'r', pace: 'live', seat, names: ['Ann', 'Bob'], your_turn, over, at: 5, rated: true })

describe('battles of all devices', () => {
  it('adds those of other devices once, opened by the key', () => {
    const all = merged([kept('a')], [mine('a', 0, true), mine('b', 0, false), mine('b', 1, true)])
    expect(all.map((one) => [one.id, one.token])).toEqual([['a', 'token'], ['b', '']])
    expect(all[1]).toMatchObject({ title: 'Ann against Bob', mine: true, note: 'rated', at: 5000 })
  })
  it('knows that one kept here has ended elsewhere', () => {
    expect(merged([kept('a')], [mine('a', 0, false, true)])[0]?.over).toBe(true)
    expect(merged([kept('a')], [])[0]?.over).toBe(false)
  })
})
