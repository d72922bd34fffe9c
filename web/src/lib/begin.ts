// Begin a battle and go to its table.

import { post } from './api'
import { remember } from './shelf'

export interface Wish {
  ruleset?: string
  scenario?: unknown
  armies?: unknown[]
  seats?: { kind: 'human' | 'computer'; level?: string; name?: string }[]
  options?: Record<string, string>
  dice?: 'fair' | 'typed'
  pace?: 'live' | 'correspondence'
  webhook?: string
}

export interface Begun {
  id: string
  seats: { seat: number; kind: string; name: string; token: string | null; link: string | null }[]
  spectator: { token: string; link: string }
  table: { token: string; link: string }
}

/** The battle a newcomer gets by one press. */
export const FIRST: Wish = {
  ruleset: 'dust1947',
  scenario: 'crossroads',
  armies: ['dust1947-allies', 'dust1947-axis'],
  seats: [{ kind: 'human' }, { kind: 'computer', level: 'regular' }]
}

export const begin = (wish: Wish): Promise<Begun> => post<Begun>('/games', wish)

/** Keep the seats of a new battle; the links of others to be handed on. */
export function keepSeats(begun: Begun, token: string, title: string): void {
  const links = begun.seats
    .filter((seat) => seat.link && seat.token !== token && !token.includes(seat.token ?? '-'))
    .map((seat) => ({ name: seat.name, link: seat.link! }))
  remember({ id: begun.id, token, title, note: 'just begun', links: [...links, { name: 'spectators', link: begun.spectator.link }] })
}
