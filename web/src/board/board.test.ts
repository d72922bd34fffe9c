import { known, planOf } from './measured'
import { describe, expect, it } from 'vitest'
import type { SquaresView } from '../lib/types'
import { FRAMES, kindOf, liveries, shortName } from './liveries'
import { drawTerrain, grid } from './terrain'

const KINDS =
  'mud sand road swamp water trees large_trees rubble structure impassable ammo_crate ammo_dump tank_trap quonset_hut building ruined_house large_ruined_house archeological_pit plinth lamassu rocket trench wire minefield bunker strongpoint fort_wall wreck burning_wreck smoke fire_smoke'.split(
    ' '
  )
const board = (features: Record<string, string[]>, walls: SquaresView['walls'] = []): SquaresView => ({ kind: 'squares', width: 4, height: 3, features, walls })

describe('terrain', () => {
  it('draws every kind of the rulebook, none as unknown', () => {
    for (const kind of KINDS) {
      const { ground, air } = drawTerrain(board({ B2: [kind] }))
      const drawn = [...ground.layers, ...air.layers]
      expect(drawn.length, kind).toBeGreaterThan(0)
      expect(drawn.map((layer) => layer.cls), kind).not.toContain('unknown')
      for (const layer of drawn) expect(layer.d, kind).not.toMatch(/NaN|undefined/)
    }
  })
  it('names what it does not know rather than hiding it', () => {
    const { ground } = drawTerrain(board({ B2: ['jam_pot'] }))
    expect(ground.labels[0]?.text).toBe('jam pot')
  })
  it('keeps a board of one kind to a handful of paths', () => {
    const all = Object.fromEntries(['A1', 'B1', 'C1', 'A2', 'B2', 'C2'].map((name) => [name, ['trees']]))
    expect(drawTerrain(board(all)).ground.layers.length).toBeLessThanOrEqual(4)
  })
  it('leaves a gap in a wall where it has an opening', () => {
    const whole = drawTerrain(board({}, [{ between: ['A1', 'B1'] }])).ground.layers.find((layer) => layer.cls === 'wall')!.d
    const open = drawTerrain(board({}, [{ between: ['A1', 'B1'], opening: 'small' }])).ground.layers.find((layer) => layer.cls === 'wall')!.d
    expect(whole.match(/M/g)).toHaveLength(1)
    expect(open.match(/M/g)).toHaveLength(2)
  })
  it('draws the same board the same way', () => {
    expect(drawTerrain(board({ B2: ['rubble'] }))).toEqual(drawTerrain(board({ B2: ['rubble'] })))
  })
  it('rules lines between squares', () => {
    expect(grid(4, 3).match(/M/g)).toHaveLength(5)
  })
})

describe('counters', () => {
  it('gives two sides of one bloc different shapes, patterns and colours', () => {
    const [one, two] = liveries([{ bloc: 'Allies' }, { bloc: 'Allies' }])
    expect(one!.frame).not.toBe(two!.frame)
    expect(one!.edge).not.toBe(two!.edge)
    expect(one!.bloc).not.toBe(two!.bloc)
  })
  it('shows sides without a bloc as reports call them: blue, then red', () => {
    expect(liveries([{}, {}]).map((one) => one.bloc)).toEqual(['allies', 'ssu'])
  })
  it('has a frame for every bloc', () => {
    for (const bloc of ['Allies', 'Axis', 'SSU', 'Mercenaries', 'Mythos']) expect(FRAMES[liveries([{ bloc }])[0]!.frame]).toBeTruthy()
    expect(new Set(['Allies', 'Axis', 'SSU', 'Mercenaries', 'Mythos'].map((bloc) => liveries([{ bloc }])[0]!.frame)).size).toBe(5)
  })
  it('tells kinds apart', () => {
    expect(kindOf({ kind: 'infantry', locomotion: 'infantry' })).toBe('squad')
    expect(kindOf({ kind: 'vehicle', locomotion: 'walker' })).toBe('walker')
    expect(kindOf({ kind: 'vehicle', locomotion: 'tracked' })).toBe('tank')
    expect(kindOf({ kind: 'aircraft', locomotion: 'aircraft' })).toBe('aircraft')
    expect(kindOf({ kind: 'support', locomotion: 'infantry' })).toBe('support')
  })
  it('finds words that fit on a counter', () => {
    expect(shortName('Ranger Weapon Squad + Bazooka Joe')).toBe('Ranger Weapon')
    expect(shortName('Sturmgrenadier Assault Squad')).toBe('Assault')
    expect(shortName('Ludwig')).toBe('Ludwig')
  })
})

describe('plans of measured tables', () => {
  it('know boxes, lines, discs and polygons, roads under houses', () => {
    const plan = planOf({
      id: 'x', name: 'X', text: '', turns: 6, size: [48, 36],
      terrain: [
        { kind: 'building', at: [4, 5], size: [6, 4] },
        { kind: 'road', line: [[0, 10], [48, 10]], width: 4 },
        { kind: 'smoke', at: [10, 10], radius: 2 },
        { kind: 'river', points: [[0, 0], [4, 0], [4, 4]] },
        { kind: 'road', boxes: [[0, 0, 4, 4], [8, 8, 2, 2]] }
      ]
    })!
    expect(plan.pieces.map((piece) => piece.look)).toEqual(['water', 'road', 'road', 'house', 'smoke'])
    expect(plan.pieces[1]).toMatchObject({ d: 'M0 10L48 10', width: 4 })
    expect(plan.pieces[3]!.d).toBe('M4 5h6v4h-6z')
    expect(planOf({ id: 'y', name: 'Y', text: '', turns: 6, board: { size: [12, 9] } })).toBeNull()
  })

  it('tell sandbags from sand', () => {
    expect(['minefield', 'trench', 'hedge', 'crops', 'scrub'].map(known)).toEqual(['mines', 'trench', 'hedge', 'crops', 'scrub'])
    expect(['sandbags', 'sand', 'tank_trap', 'mud', 'marsh', 'trees'].map(known)).toEqual(['sandbags', 'sand', 'traps', 'mud', 'bog', 'wood'])
  })
})
