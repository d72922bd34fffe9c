import { describe, expect, it } from 'vitest'
import { actionsIn, named, placesIn, sentence, sidesNamed } from './readable'
import type { UnitView } from './types'

const unit = (id: string, name: string, side = 0): UnitView => ({ id, name, side }) as UnitView

describe('what the server tells, as people say it', () => {
  it('numbers units of one name on a side', () => {
    expect(named([unit('blue-1', 'Rifles'), unit('blue-2', 'Rifles'), unit('red-1', 'Rifles', 1)]).map((one) => one.name)).toEqual(['Rifles 1', 'Rifles 2', 'Rifles'])
  })
  it('drops ids, keeps what is no id, and says one pin', () => {
    const units = new Map([
      ['blue-2', { plain: 'Rifles', name: 'Rifles 2' }],
      ['red-7', { plain: 'Luther', name: 'Luther' }]
    ])
    expect(sentence('Rifles (blue-2) fires at Luther (red-7): 1 pins, 1 losses (hard cover)', units)).toBe('Rifles 2 fires at Luther: 1 pin, 1 loss (hard cover)')
    expect(sentence('11 pins', units)).toBe('11 pins')
    expect(sentence('takes 1 pin(s), now 2 pin(s)', units)).toBe('takes 1 pin, now 2 pins')
  })
  it('calls sides by their names and not by colours', () => {
    const sides = ['Coyote Section', 'Spinne Section']
    expect(sidesNamed('An order die of red is drawn', sides)).toBe('An order die of Spinne Section is drawn')
    expect(sidesNamed('the cup holds 7 blue and 6 red dice', sides)).toBe('the cup holds 7 dice of Coyote Section and 6 of Spinne Section')
    expect(sidesNamed('1 point to 4, red wins', sides)).toBe('1 point to 4, Spinne Section wins')
    expect(sidesNamed('Red Army Battle Squad, one of red-3', sides)).toBe('Red Army Battle Squad, one of red-3')
  })
  it('tells places in the measure of the game', () => {
    expect(placesIn('blast at 25.4/50.8 cm', 25.4, '″')).toBe('blast at 10″, 20″')
    expect(placesIn('moves to 25.4/50.8 cm for 2.7"', 25.4, '″')).toBe('moves to 10″, 20″ for 2.7″')
    expect(placesIn('blast at 25.4/50.8 cm', 10, ' cm')).toBe('blast at 25.4/50.8 cm')
  })
  it('says what actions are', () => {
    expect(actionsIn('sustained')).toBe('sustained attack')
    expect(actionsIn('move + get-moving')).toBe('move + get moving')
    expect(actionsIn('Under-Barrel Grenade Launcher (3), in cover')).toBe('Under-Barrel Grenade Launcher (3), in cover')
  })
})
