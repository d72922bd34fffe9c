import { describe, expect, it } from 'vitest'
import { gameOf, index, pieces, search, type Rule } from './book'

const rule = (id: string, title: string, text: string): Rule => ({
  id,
  title,
  text,
  ruleset: 'dust1947',
  chapter: id.split('.')[1] ?? '',
  ruling: id.includes('.open.')
})
const book = index([
  rule('d47.open.walls', 'Low walls again', 'A low wall is low.'),
  rule('d47.terrain.low_wall', 'Low walls', 'Low walls give cover.'),
  rule('d47.attack.suppress', 'Suppression', 'A suppressed unit does nothing. See d47.turn.order.')
])

describe('the rules reference', () => {
  it('finds rules by whole and unfinished words, rules before rulings', () => {
    expect(search(book, 'low wall').map((one) => one.id)).toEqual(['d47.terrain.low_wall', 'd47.open.walls'])
    expect(search(book, 'suppr').map((one) => one.id)).toEqual(['d47.attack.suppress'])
    expect(search(book, 'low tank')).toEqual([])
    expect(search(book, ' ')).toEqual([])
  })

  it('finds a rule by its id first', () => {
    expect(search(book, 'd47.terrain.low_wall')[0]?.id).toBe('d47.terrain.low_wall')
  })

  it('makes links of ids and marks words', () => {
    expect(pieces('See d47.turn.order.')).toEqual([{ text: 'See ' }, { text: 'd47.turn.order', link: 'd47.turn.order' }, { text: '.' }])
    expect(pieces('Low walls', 'wall').filter((piece) => piece.mark)).toEqual([{ text: 'walls', mark: true }])
  })

  it('knows the book of an id', () => {
    expect(gameOf('k47.pin.max')).toBe('konflikt47')
  })
})
