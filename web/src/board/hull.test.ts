import { describe, expect, it } from 'vitest'
import { bodyOf, carried, fieldGun, hull } from './hull'
import type { Facts } from './silhouette/facts'

const tank: Facts = { name: 'Sherman', kind: 'vehicle', side: 'Allies', armour: 'V5', locomotion: 'tracked', skills: [], weapons: ['Medium AT Gun', 'MMG'], models: 1 }
const numbers = (d: string): number[] => (d.match(/-?\d+(\.\d+)?/g) ?? []).map(Number)

describe('hulls from above', () => {
  it('are drawn for every way of moving, of numbers only', () => {
    for (const locomotion of ['tracked', 'walker', 'wheeled', 'half_tracked', 'naval', 'immobile', ''])
      for (const armour of ['V1', 'V3', 'V5', 'V7'])
        for (const weapons of [['Tesla Gun'], ['Flamethrower', 'Quad Machine Gun'], ['Heavy Laser'], ['Rocket Launcher'], ['Howitzer'], []])
          for (const piece of hull({ ...tank, locomotion, armour, weapons }, 60, 100)) expect(piece.d).not.toMatch(/NaN|undefined/)
  })
  it('fill their true width and length', () => {
    const tracks = hull(tank, 54, 106).filter((piece) => piece.look === 'track')
    expect(Math.min(...tracks.map((piece) => numbers(piece.d)[0]!))).toBeCloseTo(-24, 0)
    expect(bodyOf(tank)).toBe('tank 2 turret')
  })
  it('point their guns to the front', () => {
    const gun = fieldGun(tank, 25).filter((piece) => piece.look === 'top')
    expect(Math.min(...gun.map((piece) => numbers(piece.d)[1]!))).toBeLessThan(-20)
  })
  it('put another weapon into the hands of a specialist', () => {
    expect(new Set(['rifle', 'mg', 'bazooka', 'flame', 'sniper', 'smg'].map((kind) => carried(kind)[0])).size).toBe(6)
  })
})
