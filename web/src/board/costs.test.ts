import { describe, expect, it } from 'vitest'
import { costAt, fieldOf, isolines, rimOf, shadeOf } from './costs'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-'
/** A grid of 10 mm steps round (0, 0) with a move of 100 mm; what costs nothing known is out of reach. */
function grid(cost: (x: number, y: number) => number | null): { x: number; y: number; step: number; columns: number; limit: number; cells: string } {
  let cells = ''
  for (let y = -110; y <= 110; y += 10)
    for (let x = -110; x <= 110; x += 10) {
      const spent = cost(x, y)
      cells += spent === null || spent > 100 ? '.' : LETTERS[Math.round((spent / 100) * 63)]
    }
  return { x: -110, y: -110, step: 10, columns: 23, limit: 10, cells }
}
const open = fieldOf(grid((x, y) => Math.hypot(x, y)), 10)

describe('costs of the ground in reach', () => {
  it('has a round rim where nothing is in the way', () => {
    const [rim, ...holes] = rimOf(open)
    expect(holes).toEqual([])
    for (const [x, y] of rim!) expect(Math.hypot(x, y)).toBeGreaterThan(94)
    for (const [x, y] of rim!) expect(Math.hypot(x, y)).toBeLessThan(104)
  })
  it('draws a line of half the cost at half the way', () => {
    const [line] = isolines(open, 0.5)
    for (const [x, y] of line!) expect(Math.abs(Math.hypot(x, y) - 50)).toBeLessThan(2)
  })
  it('stops half a step before a wall and leaves a hole for what cannot be entered', () => {
    const walled = fieldOf(grid((x, y) => (Math.abs(x - 40) < 15 && Math.abs(y) < 15 ? null : Math.hypot(x, y))), 10)
    expect(rimOf(walled)).toHaveLength(2)
    expect(costAt(walled, 40, 0).depth).toBeLessThan(-0.9)
    expect(costAt(walled, 20, 0).depth).toBeGreaterThan(0.9)
  })
  it('is shaded by what the way costs, not by how far a spot is', () => {
    const detour = fieldOf(grid((x, y) => (x > 0 ? 70 + Math.hypot(x, y) / 5 : Math.hypot(x, y))), 10)
    const { width, pixels } = shadeOf(detour, [255, 255, 255, 0.1], [0, 0, 255, 0.4])
    const at = (x: number, y: number): number => pixels[(Math.floor(((y + 120) / 10) * 4) * width + Math.floor(((x + 120) / 10) * 4)) * 4 + 3]!
    expect(at(40, 0)).toBeGreaterThan(1.5 * at(-40, 0))
    expect(at(-118, -118)).toBe(0)
  })
})
