import { describe, expect, it } from 'vitest'
import type { SightLine } from '../lib/types'
import { drawSights, letterings, said, split, summary } from './sights'

const line = (to: string, kind: SightLine['kind'], at: string | null = null, reason = ''): SightLine => ({
  unit: 'a1',
  to,
  kind,
  start: 'A1',
  end: 'C1',
  at,
  reason,
  rule: '',
  range: to.length
})
const spot = (): { x: number; y: number } => ({ x: 0, y: 0 })
const draw = (lines: SightLine[], pointed = ''): string[] => drawSights(lines, () => undefined, spot, (unit) => unit, pointed).map((one) => one.label)

describe('lines of sight', () => {
  it('are described in words', () => {
    expect(said(line('b1', 'blocked', 'B1', 'trees at B1 stand in the way'), 'Ludwig')).toBe('Ludwig: not seen, trees at B1 stand in the way')
    expect(summary([line('b1', 'clear'), line('b2', 'cover'), line('b3', 'clear')], (unit) => unit)).toBe(
      'a1 looks round. in plain sight: b1, b3; in cover: b2.'
    )
  })

  it('name an obstacle once', () => {
    const trees = (to: string): SightLine => line(to, 'blocked', 'B1', 'trees')
    expect(draw([trees('b1'), trees('b2'), line('b3', 'cover', 'B2', 'rubble')])).toEqual(['trees', '', 'rubble'])
  })

  it('speak first of the one that is pointed at', () => {
    const lines = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6'].map((to, n) => line(to, 'blocked', `B${n + 1}`, `thing ${n}`))
    expect(draw(lines).filter(Boolean)).toHaveLength(4)
    expect(draw(lines, 'b6')[5]).toBe('thing 5')
  })

  it('write their reasons where no other stands', () => {
    const at = (x: number) => ({ kind: 'blocked' as const, from: { x: 0, y: 0 }, to: { x: 200, y: 0 }, at: { x, y: 0 }, label: 'trees stand in the way', title: '' })
    const [one, other, third] = letterings([at(100), at(110), at(105)], 1, 0)
    expect(new Set([one!.y, other!.y, third!.y]).size).toBe(3)
    expect(one!.y).toBeLessThan(0)
    expect(other!.y).toBeGreaterThan(0)
  })

  it('are cut at the obstacle, which is brought onto the line', () => {
    const { mark } = split({ x: 0, y: 0 }, { x: 100, y: 0 }, { x: 40, y: 30 })
    expect(mark).toEqual({ x: 40, y: 0 })
    expect(split({ x: 0, y: 0 }, { x: 100, y: 0 }, { x: 900, y: 0 }).mark.x).toBeLessThan(100)
  })
})
