import { describe, expect, it } from 'vitest'
import { labels, tidy, without, type Army } from './armies'

const list: Army = {
  ruleset: 'dust1947',
  name: 'x',
  points: 50,
  units: [{ card: 'squad' }, { card: 'squad' }, { card: 'hero', joins: 'squad-2' }]
}

describe('army lists', () => {
  it('number units of the same card from the second on', () => {
    expect(labels(list)).toEqual(['squad', 'squad-2', 'hero'])
  })

  it('keep a hero with his squad when another squad leaves', () => {
    expect(without(list, 0).units).toEqual([{ card: 'squad' }, { card: 'hero', joins: 'squad' }])
  })

  it('let a hero stand alone when his squad leaves', () => {
    expect(without(list, 1).units).toEqual([{ card: 'squad' }, { card: 'hero' }])
  })

  it('say nothing that goes without saying', () => {
    expect(tidy({ card: 'a', options: {}, joins: '', captured: false })).toEqual({ card: 'a' })
  })
})
