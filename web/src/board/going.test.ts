import { describe, expect, it } from 'vitest'
import { rungs, stretches } from './going'

const square = (kind: string, x: number): { kind: string; name: string; outline: number[][] } => ({ kind, name: `${kind} 1`, outline: [[x, 0], [x + 100, 0], [x + 100, 100], [x, 100]] })

describe('a way', () => {
  const terrain = [square('wood', 100), square('lake', 300), square('road', 450)]
  const goings = new Map([['wood', 'slow'], ['lake', 'no']])
  it('is slow in a wood, forbidden in a lake, and plain elsewhere', () => {
    const parts = stretches([[0, 50], [600, 50]], terrain, goings)
    expect(parts.map((one) => [one.going, one.name])).toEqual([['slow', 'wood 1'], ['no', 'lake 1']])
    const [first] = parts
    expect(first!.points[0]![0]).toBeGreaterThanOrEqual(99)
    expect(first!.points.at(-1)![0]).toBeLessThanOrEqual(201)
  })
  it('counts the worse of two that overlap', () => {
    expect(stretches([[310, 50], [390, 50]], [square('wood', 300), square('lake', 300)], goings).map((one) => one.going)).toEqual(['no'])
  })
  it('goes round what it does not touch', () => {
    expect(stretches([[0, 150], [600, 150]], terrain, goings)).toEqual([])
    expect(stretches([[0, 50], [600, 50]], terrain, new Map())).toEqual([])
  })
  it('has strokes across it where it is slow', () => {
    expect(rungs(Array.from({ length: 40 }, (_, i) => [i * 3, 0]), 12, 4).match(/M/g)!.length).toBeGreaterThan(7)
  })
})
