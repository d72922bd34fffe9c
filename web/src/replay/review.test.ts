import { describe, expect, it } from 'vitest'
import type { Review } from '../lib/api-types'
import { curve, gradeOf, nearest, oneIn, rows, signed, sums, turnings } from './review'

const moment = (choice: number, player: number | null, chance: number, turning = false): Review['moments'][number] => ({
  choice, turn: 1, player, unit: 'a', text: 'a', chance, turning
})
const judged = (number: number, gave_up: number, luck: number): Review['activations'][number] => ({
  moment: number, best: 0.5, chosen: 0.5 - gave_up, after: 0.5 - gave_up + luck, gave_up, luck, instead: 'b', continuations: 24
})
const review: Review = {
  ready: true, done: 3, of: 3, sides: [], objectives: [], note: '',
  moments: [moment(4, 0, 0.5), moment(9, 1, 0.7, true), moment(15, 0, 0.4), moment(20, null, 1)],
  activations: [judged(0, 0.12, 0.02), judged(1, 0, 0.3), judged(2, 0.04, -0.1)]
}

describe('a review', () => {
  it('tells the activations of a side with their grades', () => {
    expect(rows(review, 0).map((row) => row.grade)).toEqual(['mistake', 'inaccurate'])
    expect(rows(review, 1).map((row) => row.grade)).toEqual(['best'])
    expect(gradeOf(judged(0, 0.01, 0))).toBe('good')
    expect(sums(review, 0)).toMatchObject({ count: 2, mistakes: 1 })
    expect(sums(review, 0).gaveUp).toBeCloseTo(0.16)
  })
  it('tells turning points as the first side sees them, luck of the second side turned round', () => {
    const [only] = turnings(review)
    expect(only!.change).toBeCloseTo(-0.3)
    expect(only!.luck).toBeCloseTo(-0.3)
  })
  it('knows no luck of what is not judged yet', () => {
    expect(turnings({ ...review, activations: [] })[0]!.luck).toBeNull()
  })
  it('finds the moment nearest to a choice and draws a line through all', () => {
    expect([0, 6, 7, 99].map((choice) => nearest(review.moments, choice))).toEqual([0, 0, 1, 3])
    expect(curve(review.moments, (x) => x, (y) => y * 10)).toBe('M0.0 5.0L4.0 5.0L9.0 7.0L15.0 4.0L20.0 10.0')
  })
  it('says rare things as people do', () => {
    expect(oneIn(0.025)).toBe('1 throw in 40')
    expect(oneIn(0.5)).toBe('50 % of throws')
    expect(signed(-0.123)).toBe('−12')
  })
})
