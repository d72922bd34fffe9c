// Battles this browser has seats in: what "Continue" on the first page shows.

import { keep, recall } from './settings.svelte'

export interface Kept {
  id: string
  token: string
  title: string
  note: string
  at: number
  over: boolean
  links?: { name: string; link: string }[]
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

export function forget(id: string): void {
  keep(
    KEY,
    battles().filter((one) => one.id !== id)
  )
}
