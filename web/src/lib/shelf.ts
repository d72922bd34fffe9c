// Battles this browser has seats in: what "Continue" on the first page shows.

import { call, get } from './api'
import type { MyGame } from './api-types'
import { deviceKey } from './device'
import { keep, recall } from './storage'
import type { Snapshot } from './types'

export interface Kept {
  id: string
  token: string
  title: string
  note: string
  at: number
  over: boolean
  /** Was it for this browser to decide when it was last looked at? */
  mine?: boolean
  links?: { name: string; link: string }[]
  /** The last line of talk that was read here. */
  read?: number
}

const KEY = 'dieselfront.battles'

export const battles = (): Kept[] => recall<Kept[]>(KEY, [])

export const battle = (id: string): Kept | undefined => battles().find((one) => one.id === id)

export function remember(one: Partial<Kept> & { id: string; token: string }): void {
  const all = battles()
  const known = all.find((other) => other.id === one.id && other.token === one.token)
  const fresh: Kept = { title: '', note: '', over: false, ...known, ...one, at: Date.now() }
  keep(KEY, [fresh, ...all.filter((other) => other !== known)].slice(0, 24))
}

/** The battles that go on, those where it is your turn first. */
export const open = (all: readonly Kept[]): Kept[] => all.filter((one) => !one.over).sort((one, other) => Number(other.mine ?? false) - Number(one.mine ?? false))

/** Ask how the battles stand that go on: friends and computers may have moved since. */
export function refresh(all: readonly Kept[], most = 8): Promise<Kept[]> {
  const asked = open(all).slice(0, most)
  return Promise.all(
    all.map((one) =>
      asked.includes(one)
        ? get<Snapshot>(`/games/${one.id}`, one.token).then(
            (game) => ({ ...one, mine: game.decision?.mine === true, over: game.over }),
            () => one
          )
        : one
    )
  )
}

/** The same with the battles of one's other devices: the key of this browser's person opens them. */
export async function everywhere(all: readonly Kept[]): Promise<Kept[]> {
  const key = deviceKey()
  const mine = key ? await call<MyGame[]>('/people/me/games', { headers: { 'X-Person': key } }).catch(() => []) : []
  return merged(all, mine)
}

export function merged(all: readonly Kept[], mine: readonly MyGame[]): Kept[] {
  const here = new Set(all.map((one) => one.id))
  const others = mine.filter((one, n) => !here.has(one.game) && mine.findIndex((other) => other.game === one.game) === n)
  const known = new Map(mine.map((one) => [one.game, one]))
  return [
    ...all.map((one) => ({ ...one, over: known.get(one.id)?.over ?? one.over })),
    ...others.map((one) => ({ id: one.game, token: '', title: one.names.join(' against '), note: one.rated ? 'rated' : '', at: one.at * 1000, over: one.over, mine: mine.some((seat) => seat.game === one.game && seat.your_turn) }))
  ]
}

export function forget(id: string): void {
  keep(
    KEY,
    battles().filter((one) => one.id !== id)
  )
}
