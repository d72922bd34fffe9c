import { describe, expect, it } from 'vitest'
import { known } from '../measured'
import { lit } from './paint'
import { closed, parted, sceneOf, uneven, type Land, type Scene } from './scene'
import { chained, inside, organic, spine, away, type Point } from './shapes'

const square = (x: number, y: number, size: number): number[][] => [[x, y], [x + size, y], [x + size, y + size], [x, y + size]]
const strip = (x: number, y: number, w: number, h: number): number[][] => [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
const scene = (...land: Land[]): Scene => sceneOf(1219, 1219, land)
const drawn = (one: Scene): string => JSON.stringify(one)
/** What the rulebooks of measured tables know. */
const KINDS =
  'woods crops scrub marsh rubble craters ruin trench hedge fence wall sandbags tank-traps high-wall building bunker hill rocks road water wreck smoke minefield mud sand trees swamp river tank_trap rock structure impassable plinth lamassu quonset_hut low_wall ammo_crate ammo_dump strongpoint wire burning_wreck fire_smoke archeological_pit rocket crater forest jungle shallow-water tank-obstacle deep-water barbed-wire barricade cliff gully fort_wall bunker'.split(
    ' '
  )

describe('land', () => {
  it('draws every kind of terrain, of numbers only, and differently from bare ground', () => {
    const bare = drawn(scene())
    for (const kind of KINDS) {
      const one = scene({ kind, name: `${kind} 1`, outline: /wall|fence|hedge|wire|sandbag|trench|river|road/.test(kind) ? strip(200, 300, 400, 24) : square(300, 300, 160), floors: kind === 'building' ? 2 : 0 })
      expect(known(kind), kind).not.toBe('rough')
      expect(drawn(one), kind).not.toBe(bare)
      expect(drawn(one), kind).not.toMatch(/NaN|undefined|Infinity|null/)
    }
  })
  it('knows each kind by a look of its own, craters not as crates', () => {
    expect(['craters', 'ammo_crate', 'ruin', 'building', 'rocks', 'rocket', 'high-wall', 'wire', 'sandbags'].map(known)).toEqual(['craters', 'crate', 'ruin', 'house', 'rocks', 'crate', 'wall', 'fence', 'sandbags'])
  })
  it('draws the same wood everywhere, and two woods differently', () => {
    const wood = { kind: 'woods', name: 'copse', outline: square(300, 300, 200) }
    expect(drawn(scene(wood))).toBe(drawn(scene(structuredClone(wood))))
    const crowns = (name: string): string => JSON.stringify(scene({ ...wood, name }).crowns.map((one) => [Math.round(one.x), Math.round(one.y)]))
    expect(crowns('copse')).not.toBe(crowns('orchard'))
  })
  it('keeps an organic outline close to the true one', () => {
    const outline = square(200, 200, 220) as unknown as Point[]
    const rim = organic(outline, 9, 8)
    for (const [x, y] of rim) expect(away(x, y, outline)).toBeLessThan(26)
    expect(new Set(rim.map(([x]) => x.toFixed(1))).size).toBeGreaterThan(20)
  })
  it('has crowns of several sizes that part for models', () => {
    const { crowns } = scene({ kind: 'woods', name: 'wood', outline: square(300, 300, 250) })
    expect(crowns.length).toBeGreaterThan(15)
    expect(Math.max(...crowns.map((one) => one.r)) / Math.min(...crowns.map((one) => one.r))).toBeGreaterThan(3)
    const model = { x: 420, y: 430, r: 12.5 }
    const left = parted(crowns, [model])
    crowns.forEach((one, i) => {
      if (left[i]) expect(Math.hypot(one.x - model.x, one.y - model.y)).toBeGreaterThanOrEqual(model.r + one.r * left[i]! - 1)
    })
    expect(left.some((share) => share < 1)).toBe(true)
    expect(parted(crowns, []).every((share) => share === 1)).toBe(true)
  })
  it('takes the roof off while somebody is inside', () => {
    const { roofs } = scene({ kind: 'building', name: 'farm', outline: square(300, 300, 150), floors: 2, openings: [[340, 300, 370, 300, 1]] })
    expect(closed(roofs, [], new Set())).toEqual([true])
    expect(closed(roofs, [], new Set(['farm']))).toEqual([false])
    expect(closed(roofs, [{ x: 350, y: 350, r: 12 }], new Set())).toEqual([false])
  })
  it('finds the middle line of strips and none in squares', () => {
    expect(spine(strip(0, 100, 400, 20) as unknown as Point[])!.half).toBeCloseTo(10)
    expect(spine(square(0, 0, 100) as unknown as Point[])).toBeNull()
  })
  it('joins the legs of a line to one strip', () => {
    const legs = [strip(0, 100, 300, 20), strip(300, 100, 300, 20)] as unknown as Point[][]
    const whole = chained(legs, 'smooth')!
    const { line, half } = spine(whole)!
    expect(half).toBeCloseTo(10, 0)
    expect([line[0]![0], line[line.length - 1]![0]].sort((a, b) => a - b)).toEqual([0, 600])
    expect(chained([legs[0]!, strip(900, 900, 300, 20) as unknown as Point[]], 'smooth')).toBeNull()
  })
  it('moves touching pieces alike where they touch', () => {
    const [one, other] = [uneven(strip(0, 100, 440, 110) as unknown as Point[], 3), uneven(strip(440, 100, 440, 110) as unknown as Point[], 3)]
    const edge = one.filter(([x]) => Math.abs(x - 440) < 3.1)
    expect(edge.length).toBeGreaterThan(5)
    for (const [x, y] of edge) expect(away(x, y, other)).toBeLessThan(0.6)
    expect(edge.some(([x]) => Math.abs(x - 440) > 0.3)).toBe(true)
  })
  it('is darker by lamplight, in every colour', () => {
    expect(lit('#ffffff', { dark: false })).toBe('#ffffff')
    expect(lit('#ffffff', { dark: true })).toMatch(/^rgb\(\d{2,3} \d{2,3} \d{2,3}\)$/)
    expect(inside(5, 5, [[0, 0], [10, 0], [10, 10], [0, 10]])).toBe(true)
  })
})
