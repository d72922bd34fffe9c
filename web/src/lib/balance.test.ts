import { describe, expect, it } from 'vitest'
import type { BalanceNotes } from './api-types'
import { marked, NOTHING, uneven } from './balance'

const notes: BalanceNotes = { ...NOTHING, pairings: [{ armies: ['bear', 'fox'], text: 'An uneven match.' }] }

describe('what is lopsided', () => {
  it('is told of a pairing, whoever is named first', () => {
    expect(uneven(notes, 'bear', 'fox')).toBe('An uneven match.')
    expect(uneven(notes, 'fox', 'bear')).toBe('An uneven match.')
  })
  it('is not told of other pairings, of an army against itself, or of lists of one’s own', () => {
    expect([uneven(notes, 'fox', 'owl'), uneven(notes, 'fox', 'fox'), uneven(notes, 'own:0', 'bear')]).toEqual(['', '', ''])
  })
  it('is a word in a list of choices', () => {
    expect(marked('Fox (North, 50)', { short: 'weak', text: 'Won 20 % …', side: null })).toBe('Fox (North, 50), weak')
    expect(marked('Owl (West, 50)', undefined)).toBe('Owl (West, 50)')
  })
})
