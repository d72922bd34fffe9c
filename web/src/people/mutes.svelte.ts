// Whose talk this browser does not show.

import { keep, recall } from '../lib/settings.svelte'
import type { ChatLine } from '../lib/api-types'
import type { Snapshot } from '../lib/types'

const KEY = 'dieselfront.muted'
const muted = $state({ all: recall<string[]>(KEY, []) })

/** Whose words they are: a person's wherever he sits, or those of one seat or of the spectators of one game. */
const speaker = (game: Snapshot, seat: number | null): string => {
  const who = seat === null ? undefined : game.seats[seat]?.person
  return who ? `person:${who}` : `game:${game.id}:${seat ?? 'spectators'}`
}

export const isMuted = (game: Snapshot, seat: number | null): boolean => muted.all.includes(speaker(game, seat))
export const audible = (game: Snapshot): ChatLine[] => game.chat.filter((line) => !isMuted(game, line.seat))

export function mute(game: Snapshot, seat: number | null, quiet: boolean): void {
  const one = speaker(game, seat)
  muted.all = [...muted.all.filter((other) => other !== one), ...(quiet ? [one] : [])].slice(-500)
  keep(KEY, muted.all)
}
