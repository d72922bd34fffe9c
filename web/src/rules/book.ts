// The rules reference in the browser: searched while one types, with every id a link.

import type { RuleText as Rule } from '../lib/api-types'

export type { Ruleset, RuleText as Rule } from '../lib/api-types'

export interface Piece {
  text: string
  link?: string
  mark?: boolean
}

const ID = /\b(?:d47|ff|bf|dw|k47)\.[a-z0-9_]+(?:\.[a-z0-9_]+)*/g
const PREFIX: Record<string, string> = {
  d47: 'dust1947',
  ff: 'freeform1947',
  bf: 'battlefield',
  dw: 'warfare',
  k47: 'konflikt47'
}
const CHAPTERS: Record<string, string> = {
  cc: 'close combat',
  cq: 'close quarters',
  cqv: 'close quarters with vehicles',
  cqw: 'close quarters with walkers',
  fort: 'fortifications',
  he: 'high explosive',
  los: 'line of sight',
  open: 'rulings',
  supp: 'suppression',
  wrule: 'weapon rules',
  react: 'reactions',
  reactive: 'reactive attacks',
  skill: 'skills',
  weapon: 'weapons'
}

export const gameOf = (id: string): string => PREFIX[id.split('.')[0] ?? ''] ?? 'dust1947'

export function chapterName(chapter: string): string {
  const name = CHAPTERS[chapter] ?? chapter.replaceAll('_', ' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

const stem = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word

export const words = (text: string): string[] =>
  (text.toLowerCase().replaceAll('_', ' ').match(/[a-z0-9]+/g) ?? []).map(stem)

interface Entry {
  rule: Rule
  fields: [Set<string>, string, number][]
}

/** An index of rules, made once for a book. */
export function index(rules: Rule[]): Entry[] {
  return rules.map((rule) => ({
    rule,
    fields: [
      [rule.title, 6],
      [rule.id, 4],
      [rule.text, 2],
      [`${rule.problem ?? ''} ${rule.note ?? ''} ${rule.example ?? ''}`, 1]
    ].map(([text, weight]) => [new Set(words(String(text))), ` ${words(String(text)).join(' ')}`, Number(weight)])
  }))
}

/** Rules that hold all the words, best first; the last word may be unfinished. Rules come before rulings. */
export function search(entries: Entry[], query: string): Rule[] {
  const wanted = words(query)
  if (!wanted.length) return []
  const scored: [number, number, Rule][] = []
  entries.forEach((entry, place) => {
    const scores = wanted.map((word) =>
      entry.fields.reduce(
        (sum, [whole, text, weight]) => sum + weight * (whole.has(word) ? 2 : text.includes(` ${word}`) ? 1 : 0),
        0
      )
    )
    if (scores.every((score) => score > 0)) {
      const total = scores.reduce((sum, score) => sum + score, 0) - (entry.rule.ruling ? 3 : 0)
      scored.push([total, place, entry.rule])
    }
  })
  const exact = query.trim().toLowerCase()
  return scored
    .sort((a, b) => Number(b[2].id === exact) - Number(a[2].id === exact) || b[0] - a[0] || a[1] - b[1])
    .map(([, , rule]) => rule)
}

/** A text in pieces: ids of rules as links, words looked for marked. */
export function pieces(text: string, query = ''): Piece[] {
  const parts: Piece[] = []
  let at = 0
  text = text.replaceAll('->', '→')
  for (const match of text.matchAll(ID)) {
    parts.push(...marked(text.slice(at, match.index), query), { text: match[0], link: match[0] })
    at = match.index + match[0].length
  }
  parts.push(...marked(text.slice(at), query))
  return parts.filter((piece) => piece.text)
}

function marked(text: string, query: string): Piece[] {
  const wanted = words(query).filter((word) => word.length > 1)
  if (!wanted.length) return [{ text }]
  const pattern = new RegExp(`\\b((?:${wanted.join('|')})[a-z0-9]*)`, 'gi')
  return text.split(pattern).map((part, place) => ({ text: part, mark: place % 2 === 1 }))
}
