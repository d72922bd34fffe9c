import { describe, expect, it } from 'vitest'
import { labelName, labelNames, overlap, place, widthOf, type Obstacle, type Wish } from './labels'
import { chance } from './land/shapes'
import { outlineOf, pipsOf, plateSizes } from './plates'
import type { UnitView } from '../lib/types'

const ROOM = { x: 0, y: 0, w: 760, h: 760 }
const SIZES = [{ w: 130, h: 34 }, { w: 42, h: 38 }]

/** Formations strewn over a table, some of them huddled. */
function table(seed: string, count: number, spread = 720): { wishes: Wish[]; models: Obstacle[] } {
  const roll = chance(seed)
  const wishes: Wish[] = []
  const models: Obstacle[] = []
  for (let i = 0; i < count; i += 1) {
    const [x, y] = [10 + roll() * spread, 10 + roll() * spread]
    for (let k = 0; k < 6; k += 1) models.push({ x: x + (k % 3) * 17, y: y + Math.floor(k / 3) * 17, w: 16, h: 16, weight: 6 })
    wishes.push({ id: `u${i}`, about: { x, y, w: 50, h: 33 }, sizes: SIZES })
  }
  return { wishes, models }
}

describe('labels', () => {
  it('never overlap one another or a flag, and never hang off the table', () => {
    for (const [seed, count] of [['a', 8], ['b', 20], ['c', 36], ['d', 60]] as const) {
      const { wishes, models } = table(seed, count)
      const flags: Obstacle[] = [{ x: 300, y: 300, w: 36, h: 37, weight: 9, hard: true }, { x: 500, y: 120, w: 36, h: 37, weight: 9, hard: true }]
      const placed = place(wishes, [...models, ...flags], ROOM)
      placed.forEach((one, i) => {
        expect(one.x >= 0 && one.y >= 0 && one.x + one.w <= ROOM.w && one.y + one.h <= ROOM.h, `${seed} ${one.id}`).toBe(true)
        for (const other of [...placed.slice(0, i), ...flags]) expect(overlap(one, other), `${seed} ${one.id}`).toBe(0)
      })
      expect(placed.length, seed).toBe(count)
    }
  })
  it('do not hide models where there is another place', () => {
    const { wishes, models } = table('e', 16)
    for (const one of place(wishes, models, ROOM)) for (const model of models) expect(overlap(one, model)).toBe(0)
  })
  it('keep their names while there is room, and shrink before they hide models', () => {
    expect(place(table('f', 6).wishes, table('f', 6).models, ROOM).every((one) => one.size === 0)).toBe(true)
    const crowd = table('g', 40, 330)
    expect(place(crowd.wishes, crowd.models, { x: 0, y: 0, w: 400, h: 400 }).some((one) => one.size === 1)).toBe(true)
  })
  it('are tied to what they name by a line where they stand apart', () => {
    const wall: Obstacle = { x: 250, y: 250, w: 300, h: 300, weight: 9, hard: true }
    const [one] = place([{ id: 'x', about: { x: 390, y: 390, w: 20, h: 20 }, sizes: SIZES }], [wall], ROOM)
    expect(one!.lead).not.toBeNull()
    expect(place(table('h', 1).wishes, [], ROOM)[0]!.lead).toBeNull()
  })
  it('that may be left out are left out rather than squeezed in', () => {
    const full: Obstacle = { ...ROOM, weight: 9, hard: true }
    expect(place([{ id: 'name', about: { x: 5, y: 5, w: 5, h: 5 }, sizes: SIZES, optional: true }], [full], ROOM)).toEqual([])
  })
  it('stand in the part that is in sight, where what they name is there', () => {
    const ghost = { id: 'ghost', about: { x: 405, y: 300, w: 12, h: 12 }, sizes: [{ w: 100, h: 21 }] }
    const seen = { x: 400, y: 100, w: 300, h: 400 }
    expect(place([ghost], [], ROOM)[0]!.x).toBeLessThan(seen.x)
    const [one] = place([{ ...ghost, seen }], [], ROOM)
    expect(one!.x).toBeGreaterThanOrEqual(seen.x)
    expect(place([{ ...ghost, seen: { x: 600, y: 600, w: 150, h: 150 } }], [], ROOM)).toEqual(place([ghost], [], ROOM))
  })
  it('do not stand nearer to what another label names', () => {
    const [squad, scouts] = [{ x: 459, y: 556, w: 60, h: 36 }, { x: 343, y: 556, w: 38, h: 18 }]
    const walls: Obstacle[] = [{ x: 550, y: 440, w: 180, h: 112 }, { x: 420, y: 596, w: 240, h: 120 }, { x: 525, y: 540, w: 200, h: 60 }].map((one) => ({ ...one, weight: 9, hard: true }))
    const models = [squad, scouts].map((one): Obstacle => ({ ...one, weight: 6 }))
    const [one] = place([squad, scouts].map((about, i) => ({ id: `u${i}`, about, sizes: [{ w: 137, h: 34 }] })), [...walls, ...models], ROOM)
    const [x, y] = [one!.x + one!.w / 2, one!.y + one!.h / 2]
    const far = (about: typeof squad): number => Math.hypot(Math.max(0, about.x - x, x - about.x - about.w), Math.max(0, about.y - y, y - about.y - about.h))
    expect(far(squad)).toBeLessThanOrEqual(far(scouts))
  })
  it('are placed the same way for the same table', () => {
    const { wishes, models } = table('i', 25)
    expect(place(wishes, models, ROOM)).toEqual(place(structuredClone(wishes), structuredClone(models), ROOM))
  })
})

describe('names on labels', () => {
  it('lose filler words first and keep their number', () => {
    expect(labelName('Infantry Squad 2')).toBe('Infantry 2')
    expect(labelName('Inexperienced Infantry Squad')).toBe('Inexperienced Infantry')
    expect(labelName('2" Light Mortar Team')).toBe('2″ Light Mortar')
    expect(labelName('Ranger Weapon Squad + Bazooka Joe')).toBe('Ranger Weapon')
    expect(labelName('.30 Cal Medium Machine Gun Team 2')).toBe('.30 Cal MMG 2')
    expect(labelName('M5A2 Coyote Light Walker')).toBe('Coyote Light Walker')
    expect(labelName('M-42 Anti-Tank Gun')).toBe('M-42 Anti-Tank Gun')
  })
  it('are never the same for two units', () => {
    const names = ['Machine Gun Team', 'Machine Gun Squad', 'Officer 1', 'Officer 2']
    expect(new Set(labelNames(names).values()).size).toBe(4)
  })
  it('are measured a little too wide rather than too narrow', () => {
    expect(widthOf('Infantry 2', 13.5)).toBeGreaterThan(50)
  })
})

describe('plates', () => {
  const unit = { id: 'a', name: 'Rifle Squad', tokens: ['advance', '2 pins', 'immobilised'], order: 'advance', models_left: 7, models_max: 10 } as unknown as UnitView
  it('count models, or damage, or nothing where there is only one to lose', () => {
    expect(pipsOf(unit).filter(Boolean).length).toBe(7)
    expect(pipsOf({ ...unit, left: 3, left_max: 6 } as UnitView)).toEqual([true, true, true, false, false, false])
    expect(pipsOf({ ...unit, models_left: 1, models_max: 1 } as UnitView)).toEqual([])
  })
  it('are as wide as what they say', () => {
    expect(plateSizes(unit, 'Rifle')[0]!.w).toBeLessThan(plateSizes(unit, 'Sturmgrenadier Assault')[0]!.w)
  })
  it('have an outline for every frame', () => {
    for (const frame of ['round', 'octagon', 'hexagon', 'shield', 'lozenge'] as const) expect(outlineOf(frame, 100, 34)).toMatch(/^M.*z$/)
  })
})
