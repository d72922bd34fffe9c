// A link that works for somebody else: the address of this page is no use to a friend if it names only this machine.

import type { Reach } from './api-types'

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i

export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname)

export interface Invitation {
  /** The whole address to hand on. */
  address: string
  /** Who can open it. */
  works: 'everywhere' | 'network' | 'here'
}

/** Where a friend opens a link, as far as this page and the server can know. */
export function invitation(place: { hostname: string; origin: string }, reach: Reach | null, link: string): Invitation {
  if (!isLoopback(place.hostname)) return { address: place.origin + link, works: 'everywhere' }
  const outside = reach?.origins[0]
  if (reach?.open && outside) return { address: outside + link, works: 'network' }
  return { address: place.origin + link, works: 'here' }
}
