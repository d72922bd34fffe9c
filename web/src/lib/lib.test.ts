import { describe, expect, it } from 'vitest'
import { aimsAtSquares, Draft, squaresOf, unitsOf } from './draft.svelte'
import { percent } from './numbers'
import { column, middle, square } from './places'
import { centreOf, heading, isInside, near, suggestions, terrainAt } from './regions'
import type { Decision, Option, UnitView } from './types'
import { boardOf } from './words'

const decide = (facts: Partial<Decision> & Pick<Decision, 'shape'>): Decision => ({ player: 0, key: 'k', text: '', rule: '', unit: '', act: 'choose', stakes: false, mine: true, ...facts })

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
    const draft = new Draft(decide({ shape: 'pick-some', least: 1, most: 2, options: ['a', 'b', 'c'].map((answer) => ({ answer, label: answer, about: {} })) }))
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
      items: [0, 1].map((item) => ({ item, label: `gun ${item}`, options: [{ answer: null, label: 'hold fire', about: {} }, ...targets.map((id) => ({ answer: [id], label: id, about: { targets: [id] } }))] }))
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
  it('reads who and where from what an option is about, never from its words', () => {
    const who = decide({ shape: 'pick-one', unit: 'mover' })
    expect(unitsOf({ answer: 'x', label: 'b1', about: { unit: 'reactor', targets: ['mover'] } }, who)).toEqual(['reactor'])
    expect(unitsOf({ answer: 3, label: '', about: { unit: 'mover', targets: ['b1'] } }, who)).toEqual(['b1'])
    expect(squaresOf({ answer: 3, label: 'A1', about: { places: ['J3', 'K3', [5, 6]] } })).toEqual(['J3', 'K3'])
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
    const option = (answer: Decision['default'], about: Option['about']): Option => ({ answer: answer ?? null, label: '', about })
    const decision = decide({
      shape: 'assign',
      items: [{ item: 0, label: 'Mortar', options: [option(null, {}), option([19, 'area', [6, 7]], { places: ['H2', 'G1'] }), option(['b1', 0], { targets: ['b1'], places: ['C3'] })] }]
    })
    const aims = aimsAtSquares(decision)
    expect([...aims.keys()]).toEqual(['H2'])
    expect(aims.get('H2')![0]).toMatchObject({ item: 0, squares: ['H2', 'G1'] })
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
