import { describe, expect, it } from 'vitest'
import { aimsAtSquares, Draft, squaresIn, squaresNamed, unitsIn } from './draft.svelte'
import { percent } from './numbers'
import { column, middle, square } from './places'
import { centreOf, heading, isInside, near, suggestions, terrainAt } from './regions'
import type { Decision, UnitView } from './types'
import { boardOf } from './words'

const decide = (facts: Partial<Decision> & Pick<Decision, 'shape'>): Decision => ({ player: 0, key: 'k', text: '', rule: '', unit: '', mine: true, ...facts })

describe('squares', () => {
  it('reads names with floors', () => {
    expect(square('C4+1')).toEqual({ x: 2, y: 3, level: 1 })
    expect(square('AA10')).toEqual({ x: 26, y: 9, level: 0 })
    expect(column(26)).toBe('AA')
    expect(middle(['A1', 'B1'])).toEqual({ x: 100, y: 50 })
  })
})

describe('an answer in the making', () => {
  it('takes as many options as are wanted, in the order they stand', () => {
    const draft = new Draft(decide({ shape: 'pick-some', least: 1, most: 2, options: ['a', 'b', 'c'].map((answer) => ({ answer, label: answer })) }))
    expect(draft.answer).toBeUndefined()
    draft.toggle(2)
    draft.toggle(0)
    expect(draft.answer).toEqual(['a', 'c'])
    draft.toggle(1)
    expect(draft.answer).toBeUndefined()
  })
  const fire = (targets: string[]): Decision =>
    decide({
      shape: 'assign',
      default: [null, null],
      items: [0, 1].map((item) => ({ item, label: `gun ${item}`, options: [{ answer: null, label: 'hold fire' }, ...targets.map((id) => ({ answer: [id], label: id }))] }))
    })
  it('aims everything at the only target to begin with, and at none if there are several', () => {
    expect(new Draft(fire(['b1'])).answer).toEqual([['b1'], ['b1']])
    expect(new Draft(fire(['b1', 'b2'])).answer).toEqual([null, null])
  })
  it('aims together, apart, and holds', () => {
    const draft = new Draft(fire(['b1', 'b2']))
    draft.aimAll('b2')
    draft.aim(0, ['b1'])
    expect(draft.answer).toEqual([['b1'], ['b2']])
    draft.hold()
    expect(draft.answer).toEqual([null, null])
  })
  it('wants a facing before a place is an answer', () => {
    const draft = new Draft(decide({ shape: 'place' }))
    draft.spot = { spot: 4, cost: 1, label: 'A1', facings: [0, 1] }
    expect(draft.answer).toBeUndefined()
    draft.spot = { spot: 4, cost: 1, label: 'A1', facings: [null] }
    expect(draft.answer).toEqual([4, null])
  })
  it('counts typed dice', () => {
    const draft = new Draft(decide({ shape: 'dice', count: 2, faces: ['ARMY', 'SHIELD'] }))
    draft.faces = ['ARMY']
    expect(draft.answer).toBeUndefined()
    draft.faces = ['ARMY', 'SHIELD']
    expect(draft.answer).toEqual(['ARMY', 'SHIELD'])
  })
  it('finds units and squares in answers and labels', () => {
    expect(unitsIn(['x', ['b1', 3]], new Set(['b1']))).toEqual(['b1'])
    expect(squaresIn('J3 K3 J4 K4')).toEqual(['J3', 'K3', 'J4', 'K4'])
    expect(squaresIn('attack + move')).toEqual([])
  })
})

describe('measured regions', () => {
  it('reads spots and ways alike', () => {
    expect(suggestions(decide({ shape: 'place-free', region: { spots: [[1, 2, 90]] } }))).toEqual([[[1, 2, 90]]])
    expect(suggestions(decide({ shape: 'path', region: { spots: [[], [[1, 2]]] } }))).toEqual([[], [[1, 2]]])
  })
  it('snaps to what is near, and to nothing far away', () => {
    expect(near([[], [[100, 100]]], 110, 95)).toEqual([[100, 100]])
    expect(near([[[100, 100]]], 200, 95)).toBeNull()
  })
  it('measures headings clockwise from the top', () => {
    expect([heading([0, 0], [0, -5]), heading([0, 0], [5, 0]), heading([0, 0], [0, 5]), heading([0, 0], [-5, 0])]).toEqual([0, 90, 180, 270])
  })
})

describe('words and numbers', () => {
  it('never rounds a chance to certainty', () => {
    expect([0, 0.004, 0.5, 0.996, 1].map(percent)).toEqual(['0 %', '<1 %', '50 %', '>99 %', '100 %'])
  })
  it('draws a board from its words', () => {
    const drawn = boardOf({ size: [12, 9], terrain: ['road from A5 to C5', 'tank trap at C5, J5', 'building from I3 to J4 with 1 floor, door on west of I4', 'low wall along south of C3 to D3'] })!
    expect(drawn.features['C5']).toEqual(['road', 'tank_trap'])
    expect(drawn.features['J4']).toEqual(['building'])
    expect(drawn.walls.filter((wall) => wall.kind === 'low')).toHaveLength(2)
    expect(drawn.walls.filter((wall) => !wall.kind)).toHaveLength(8)
  })
})

describe('aims at squares', () => {
  it('are found by the square they are aimed at, with all that they cover', () => {
    expect(squaresNamed('H2 (area G1 H1 G2 H2)')).toEqual(['H2', 'G1', 'H1', 'G2', 'H2'])
    const option = (answer: Decision['default'], label: string): { answer: NonNullable<typeof answer> | null; label: string } => ({ answer: answer ?? null, label })
    const decision = decide({
      shape: 'assign',
      items: [{ item: 0, label: 'Mortar', options: [option(null, 'hold fire'), option([19, 'area', [6, 7]], 'H2 (area G1 H2)'), option(['b1', 0], 'Ludwig at C3')] }]
    })
    const found = aimsAtSquares(decision, new Set(['b1']))
    expect([...found.keys()]).toEqual(['H2'])
    expect(found.get('H2')![0]).toMatchObject({ item: 0, squares: ['H2', 'G1'] })
  })
})

describe('a measured table', () => {
  const wood: [number, number][] = [
    [0, 0],
    [100, 0],
    [100, 100],
    [0, 100]
  ]
  it('knows what lies under a point', () => {
    expect(isInside(wood, 50, 50)).toBe(true)
    expect(isInside(wood, 150, 50)).toBe(false)
    const table = { kind: 'measured' as const, width: 500, height: 500, terrain: [{ kind: 'woods', outline: wood, name: 'thicket' }] }
    expect(terrainAt(table, 10, 90)).toEqual(['thicket'])
    expect(terrainAt(table, 300, 90)).toEqual([])
  })

  it('finds the middle of a unit', () => {
    expect(centreOf({ models: [{ x: 0, y: 10 }, { x: 20, y: 30 }] } as UnitView)).toEqual([10, 20])
    expect(centreOf({ hull: { x: 5, y: 6 } } as UnitView)).toEqual([5, 6])
    expect(centreOf({ models: [] } as unknown as UnitView)).toBeUndefined()
  })
})
