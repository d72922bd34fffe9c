import { describe, expect, it } from 'vitest'
import { clothOf, flagAt } from './flags'
import { overlap } from './labels'

const ROOM = { x: 0, y: 0, w: 800, h: 600 }

describe('flags', () => {
  it('fly upright where nothing is in the way', () => {
    expect(flagAt(300, 300, [], ROOM)).toEqual({ pole: [0, -30], cloth: [0, -30], left: false })
  })
  it('leave every model to be seen', () => {
    const models = [{ x: 270, y: 250, w: 60, h: 60 }, { x: 330, y: 270, w: 30, h: 30 }]
    const cloth = clothOf(flagAt(300, 300, models, ROOM), 300, 300)
    expect(models.every((one) => !overlap(one, cloth))).toBe(true)
  })
  it('stay on the table', () => {
    const cloth = clothOf(flagAt(795, 300, [], ROOM), 795, 300)
    expect(cloth.x + cloth.w).toBeLessThanOrEqual(800)
  })
})
