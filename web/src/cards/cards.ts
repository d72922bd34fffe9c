// Unit cards as the server tells them, and the filters of the card browser.

import type { CardRow, Cell, Named, Weapon } from '../lib/api-types'

export type { CardFacts as Card, CardOption, CardRow, Cell, Named, Weapon } from '../lib/api-types'

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

export const sorted = <T,>(all: Iterable<T>): T[] => [...new Set(all)].sort()

/** "*" is a blast, "#" destroys outright, "6/1" is dice and damage. */
export function cell(found: Cell | undefined): string {
  if (!found) return '–'
  const dice = found.blast ? '✷'.repeat(found.blast) : String(found.dice)
  return `${dice}/${found.kill ? '#' : found.damage}`
}

export function spoken(found: Cell | undefined): string {
  if (!found) return 'cannot be attacked'
  const dice = found.blast ? `${found.blast} blast` : `${found.dice} dice`
  return `${dice}, ${found.kill ? 'destroys' : `${found.damage} damage`}`
}

export function range(weapon: Weapon): string {
  if (weapon.close) return 'C'
  return weapon.range_min ? `${weapon.range_min}–${weapon.range_max}` : String(weapon.range_max)
}

export const said = (ref: Named): string => (ref.argument === null ? ref.name : `${ref.name} (${ref.argument})`)

export function price(points: number | Record<string, number>): string {
  if (typeof points === 'number') return String(points)
  return Object.entries(points)
    .map(([level, cost]) => `${level} ${cost}`)
    .join(' · ')
}

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
