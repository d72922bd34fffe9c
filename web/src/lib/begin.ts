// Begin a battle and go to its table.

import { post } from './api'
import { remember } from './shelf'
import type { Created as Begun, NewGame } from './api-types'

export type { Created as Begun } from './api-types'

/** A battle as it is wished for; forces and scenarios may be whole ones. */
export type Wish = Omit<NewGame, 'scenario' | 'armies'> & { scenario?: unknown; armies?: unknown[] }

export const begin = (wish: Wish): Promise<Begun> => post<Begun>('/games', wish)

/** Keep the seats of a new battle; the links of others to be handed on. */
export function keepSeats(begun: Begun, token: string, title: string): void {
  const links = begun.seats
    .filter((seat) => seat.link && seat.token !== token && !token.includes(seat.token ?? '-'))
    .map((seat) => ({ name: seat.name, link: seat.link! }))
  remember({ id: begun.id, token, title, note: 'just begun', links: [...links, { name: 'spectators', link: begun.spectator.link }] })
}
