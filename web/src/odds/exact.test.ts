import { describe, expect, it } from 'vitest'
import { atLeast, bare, binomial, listed, mean, percent } from './exact'

describe('odds worked out in the browser', () => {
  it('agree with counting all throws of three dice', () => {
    const counted = [0, 0, 0, 0]
    for (let throws = 0; throws < 216; throws += 1) {
      const dice = [throws % 6, Math.floor(throws / 6) % 6, Math.floor(throws / 36)]
      counted[dice.filter((die) => die < 2).length]! += 1 / 216
    }
    binomial(3, 1 / 3).forEach((p, n) => expect(p).toBeCloseTo(counted[n]!, 12))
  })

  it('end at what the target has left', () => {
    const { losses } = bare({ dice: 6, hit: 1 / 3, save: 1 / 3, damage: 2, left: 4 })
    expect(losses).toHaveLength(5)
    expect(losses[1]).toBe(0)
    expect(losses[4]).toBeCloseTo(atLeast(binomial(6, 2 / 9), 2), 12)
    expect(losses.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
  })

  it('are described in words', () => {
    expect(mean([0.5, 0, 0.5])).toBe(1)
    expect(listed({ '0': 0.5, '2': 0.5, '9': 1e-9 })).toEqual([0.5, 0, 0.5])
    expect([percent(0), percent(1), percent(0.2726), percent(1e-6)]).toEqual(['0 %', '100 %', '27.3 %', '< 0.1 %'])
  })
})
