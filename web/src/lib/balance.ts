// What is lopsided between equal players, as the server measured and words it; pages show it where one chooses.

import { once } from '../rules/library'
import type { BalanceNote, BalanceNotes } from './api-types'

export const NOTHING: BalanceNotes = { armies: {}, scenarios: {}, pairings: [] }

/** What is lopsided in a game. A page does without it where it cannot be had. */
export const balanceOf = (ruleset: string): Promise<BalanceNotes> => once<BalanceNotes>(`/balance?ruleset=${ruleset}`).catch(() => NOTHING)

/** A choice of a list, with the word for what is lopsided: "Red Vanguard (SSU, 119), strong". */
export const marked = (label: string, note: BalanceNote | undefined): string => (note ? `${label}, ${note.short}` : label)

/** Why two armies are no even match; empty if they may be one. */
export const uneven = (notes: BalanceNotes, one: string, other: string): string =>
  notes.pairings.find(({ armies }) => one !== other && armies.includes(one) && armies.includes(other))?.text ?? ''
