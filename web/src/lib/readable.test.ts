import { describe, expect, it } from 'vitest'
import { named, sentence } from './readable'
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
})
