import { describe, expect, it } from 'vitest'
import { ago, gameTitle, levelWords, paceWords, ratingWords } from './words'

describe('words about people', () => {
  it('marks a rating that is a guess', () => {
    expect(ratingWords({ rating: 1612.4, deviation: 60, sure: true })).toBe('1612')
    expect(ratingWords({ rating: 1612.4, deviation: 200, sure: false })).toBe('about 1612')
  })
  it('names the other side of a game', () => {
    const game = { game: 'x', ruleset: 'r', pace: 'live', seat: 1, names: ['Ann', 'Bob'], your_turn: true, over: false, at: 0, rated: true }
    expect(gameTitle(game, 'Squares')).toBe('Squares against Ann')
  })
  it('tells how long ago something was', () => {
    const now = 1_000_000_000_000
    expect([10, 600, 7200, 400_000].map((seconds) => ago(now / 1000 - seconds, now))).toEqual(['just now', '10 min ago', '2 h ago', '5 days ago'])
  })
  it('knows every pace and level, and says nothing about others', () => {
    expect(paceWords('live')).toContain('sitting')
    expect(levelWords('veteran')).toBe('for veterans')
    expect(levelWords('?')).toBe('')
  })
})
