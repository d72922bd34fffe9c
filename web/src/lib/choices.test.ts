import { describe, expect, it } from 'vitest'
import { ordered, parted } from './choices'
import { presetOf } from './draft.svelte'
import type { Decision, Option } from './types'

const option = (label: string, about: Partial<Option['about']> = {}): Option => ({ answer: label, label, about: { act: 'attack', ...about } })
const labels = (options: Option[]): string[] => options.map((one) => one.label)
const asked = (options: Option[], more: object = {}): Decision => ({ options, ...more }) as unknown as Decision

describe('options in the order a player wants them', () => {
  it('has first what uses all there is, last what does nothing', () => {
    const options = [option('attack', { cost: 1 }), option('sustained', { cost: 2 }), option('nothing', { act: 'pass', cost: 0 }), option('move + attack', { cost: 2 })]
    expect(labels(ordered(asked(options)))).toEqual(['sustained', 'move + attack', 'attack', 'nothing'])
  })
  it('leaves an order alone that has no costs', () => {
    expect(labels(ordered(asked([option('b'), option('a', { cost: 3 })])))).toEqual(['b', 'a'])
  })
  it('folds what skills add to a long list, and nothing of a short one', () => {
    const plain = ['attack', 'move', 'march'].map((name) => option(name))
    const skilled = Array.from({ length: 8 }, (_, i) => option(`inject ${i}`, { skills: ['inject'] }))
    expect(parted([...plain, ...skilled]).skilled.length).toBe(8)
    expect(parted([...plain, skilled[0]!]).skilled).toEqual([])
  })
})

describe('so many that must be chosen', () => {
  const soldiers = [option('Leader', { careless: true }), option('Soldier'), option('Soldier'), option('Bazooka'), option('Soldier')]
  it('are ticked where they are alike', () => {
    expect(presetOf(asked(soldiers, { least: 2, most: 2 }))).toEqual([2, 4])
  })
  it('are left open where it matters, or where less will do', () => {
    expect(presetOf(asked(soldiers, { least: 4, most: 4 }))).toEqual([])
    expect(presetOf(asked(soldiers, { least: 0, most: 2 }))).toEqual([])
  })
})
