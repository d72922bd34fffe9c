// How offers, ratings and waiting are put into words.

import type { MyGame, OfferView, Ranked, Rating } from '../lib/api-types'

export const LEVELS: [OfferView['level'], string, string][] = [
  ['any', 'Anybody', 'for anybody'],
  ['new', 'New to the game', 'for newcomers'],
  ['regular', 'Knows the game', 'for regulars'],
  ['veteran', 'Plays it well', 'for veterans']
]
export const PACES: [OfferView['pace'], string, string][] = [
  ['live', 'Now', 'now, in one sitting'],
  ['correspondence', 'Over days', 'over days, a move when there is time']
]

export const levelWords = (level: string): string => LEVELS.find(([id]) => id === level)?.[2] ?? ''
export const paceWords = (pace: string): string => PACES.find(([id]) => id === pace)?.[2] ?? ''

/** A rating as it is shown: a guess is marked as one. */
export const ratingWords = (one: Pick<Rating | Ranked, 'rating' | 'deviation' | 'sure'>): string => (one.sure ? `${Math.round(one.rating)}` : `about ${Math.round(one.rating)}`)

export const gameTitle = (one: MyGame, name: string): string => {
  const other = one.names[1 - one.seat] ?? 'somebody'
  return `${name} against ${other}`
}

export function ago(at: number, now = Date.now()): string {
  const minutes = Math.max(0, Math.round((now / 1000 - at) / 60))
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`
  return `${Math.round(minutes / 1440)} days ago`
}
