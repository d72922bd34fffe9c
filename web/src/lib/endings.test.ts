import { describe, expect, it } from 'vitest'
import { endingLine, endingOf } from './endings'

const names = ['Coyote Section', 'Spinne Section']
const played = (winner: number | null, reason: string) => ({ winner, reason, kind: 'played' as const })

describe('the end of a battle', () => {
  it('names the winner and tells his points first', () => {
    expect(endingLine(played(1, '1 points to 4, red wins'), names)).toBe('Spinne Section wins: 4 points to 1')
    expect(endingLine(played(0, 'Coyote Section wins with 1 points to 0'), names)).toBe('Coyote Section wins: 1 point to 0')
  })

  it('says who has nothing left, whoever looks', () => {
    expect(endingOf(played(1, 'the enemy has no units left'), names, 0)).toEqual({ title: 'Spinne Section wins', why: 'Coyote Section has no units left' })
    expect(endingOf(played(0, 'the enemy has no units left'), names, 0).title).toBe('You win')
  })

  it('knows draws', () => {
    expect(endingLine(played(null, '3 points to 3, a draw'), names)).toBe('A draw: 3 points to 3')
    expect(endingLine(played(null, 'a draw at 10 points each'), names)).toBe('A draw: 10 points each')
    expect(endingLine({ winner: null, reason: 'draw agreed', kind: 'draw' }, names)).toBe('A draw')
  })
})
