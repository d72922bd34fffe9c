// Unit cards as the server tells them, and the filters of the card browser.

import type { CardRow, Ruleset } from '../lib/api-types'

export type { CardFacts as Card, CardRow, CardWords, OptionFace, WeaponFace } from '../lib/api-types'

export interface Wish {
  words: string
  side: string
  kind: string
  faction: string
  skill: string
  most: number | null
}

export const NO_WISH: Wish = { words: '', side: '', kind: '', faction: '', skill: '', most: null }

const plain = (text: string): string => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

const haystacks = new WeakMap<CardRow, string>()

function haystack(row: CardRow): string {
  let text = haystacks.get(row)
  if (text === undefined) {
    text = plain([row.name, row.side, row.kind, row.armour ?? '', ...row.skills, ...row.weapons, ...row.factions].join(' '))
    haystacks.set(row, text)
  }
  return text
}

/** A skill without its number: Passengers (6) is Passengers. */
export const bare = (skill: string): string => skill.replace(/\s*\(.*\)$/, '')

export function fits(row: CardRow, wish: Wish): boolean {
  return (
    (!wish.side || row.side === wish.side) &&
    (!wish.kind || row.kind === wish.kind) &&
    (!wish.faction || row.factions.includes(wish.faction)) &&
    (!wish.skill || row.skills.some((skill) => bare(skill) === wish.skill)) &&
    (wish.most === null || row.points <= wish.most) &&
    plain(wish.words)
      .split(/\s+/)
      .every((word) => haystack(row).includes(word))
  )
}

/** Games that have cards, those with the newest cards first. */
export const newestFirst = (games: Ruleset[]): Ruleset[] =>
  games.filter((one) => one.cards).sort((a, b) => b.cards!.edition - a.cards!.edition || a.name.localeCompare(b.name))

export const sorted = <T,>(all: Iterable<T>): T[] => [...new Set(all)].sort()

export const title = (word: string): string => {
  const text = word.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The nation or bloc as one of our liveries. */
export function blocOf(side: string): string {
  const known: Record<string, string> = {
    Germany: 'axis',
    Italy: 'mercenaries',
    Japan: 'mythos',
    Finland: 'allies',
    'Soviet Union': 'ssu',
    'Great Britain': 'allies',
    'United States': 'allies'
  }
  return known[side] ?? side.toLowerCase()
}
