import { describe, expect, it } from 'vitest'
import type { PuzzleRow } from '../lib/api-types'
import { following, isPuzzle, themeName, themesOf, titlesOf } from './puzzles'

const puzzle = (id: string, themes: string[] = ['attack'], ruleset = 'x'): PuzzleRow => ({ id, ruleset, title: id, themes, difficulty: 'easy', turn: 1, side: 0, before: 0.5 })

describe('puzzles', () => {
  it('lists themes by how many puzzles have them', () => {
    expect(themesOf([puzzle('a', ['attack', 'move']), puzzle('b', ['move']), puzzle('c', ['assault'])])).toEqual([['move', 2], ['assault', 1], ['attack', 1]])
    expect(themeName('objective')).toBe('Objectives')
    expect(themeName('unheard of')).toBe('Other')
  })

  it('goes on with the next puzzle of the same game, and begins again after the last', () => {
    const all = [puzzle('a'), puzzle('q', [], 'y'), puzzle('b')]
    expect(following(all, all[0]!)?.id).toBe('b')
    expect(following(all, all[2]!)?.id).toBe('a')
  })

  it('tells puzzles of one name apart by numbers', () => {
    const named = (id: string, title: string, ruleset = 'x'): PuzzleRow => ({ ...puzzle(id, [], ruleset), title })
    const titles = titlesOf([named('a', 'Ford, turn 1'), named('b', 'Ford, turn 1'), named('c', 'Ford, turn 2'), named('d', 'Ford, turn 1', 'y')])
    expect([...titles.values()]).toEqual(['Ford, turn 1 (1)', 'Ford, turn 1 (2)', 'Ford, turn 2', 'Ford, turn 1'])
  })

  it('knows a battle that began at a puzzle', () => {
    expect(isPuzzle({ origin: 'puzzle:crossroads-1@40' })).toBe(true)
    expect(isPuzzle({ origin: 'abc@3' })).toBe(false)
    expect(isPuzzle({ origin: null })).toBe(false)
  })
})
