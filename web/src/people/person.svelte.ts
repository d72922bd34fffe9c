// The person at this browser: becoming known at first need, coming back by a code, and what is asked in his name.

import { ApiError, call } from '../lib/api'
import type { MyGame, NewCode, NewPerson, PersonView } from '../lib/api-types'
import { device, keepDevice, type Device } from '../lib/device'
import { prefer, settings } from '../lib/settings.svelte'
import { battles } from '../lib/shelf'

export const person = $state<{ here: Device | null }>({ here: device() })

function put(one: Device | null): void {
  keepDevice(one)
  person.here = one
}

/** Ask the server as this person, if he is known; a key that it does not know any more is forgotten. */
export async function asMe<T>(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
  const key = person.here?.key
  try {
    return await call<T>(path, {
      method,
      ...(key ? { headers: { 'X-Person': key } } : {}),
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  } catch (error) {
    if (key && error instanceof ApiError && error.status === 401) put(null)
    throw error
  }
}

/** The person here; made silently when there is none yet. */
export async function become(name = ''): Promise<Device> {
  if (person.here) return person.here
  const called = name.trim() || settings.name || `Guest ${100 + Math.floor(Math.random() * 900)}`
  const { id, name: taken, key } = await call<NewPerson>('/people', { method: 'POST', body: JSON.stringify({ name: called }) })
  if (name.trim()) prefer({ name: taken })
  put({ id, name: taken, key })
  await claimAll()
  return person.here!
}

/** Come back on this browser; answers with the code that takes the place of the old one. */
export async function recover(code: string, alone: boolean): Promise<string> {
  const answer = await call<NewPerson>('/people/recover', { method: 'POST', body: JSON.stringify({ code, alone }) })
  put({ id: answer.id, name: answer.name, key: answer.key })
  await claimAll()
  return answer.recovery
}

export async function newCode(): Promise<string> {
  await become()
  return (await asMe<NewCode>('/people/me/recovery', {})).recovery
}

/** The code has been written down. */
export function codeIsSafe(): void {
  if (person.here) put({ ...person.here, safe: true })
}

export async function rename(name: string): Promise<void> {
  await become(name)
  const { name: taken } = await asMe<{ name: string }>('/people/me/name', { name })
  prefer({ name: taken })
  if (person.here) put({ ...person.here, name: taken })
}

export const leave = (): void => put(null)
export const me = (): Promise<PersonView> => asMe<PersonView>('/people/me')
export const myGames = (): Promise<MyGame[]> => asMe<MyGame[]>('/people/me/games')

/** The seats of a battle become this person's own, so that his other devices find them. */
export async function claim(game: string, token: string): Promise<void> {
  const key = person.here?.key
  if (!key) return
  for (const _ of token.split(',')) {
    const headers = { 'X-Person': key, 'X-Seat': token }
    const more = await call(`/games/${game}/claim`, { method: 'POST', headers }).then(
      () => true,
      () => false
    )
    if (!more) return
  }
}

/** Everything begun before he was known. */
async function claimAll(): Promise<void> {
  for (const one of battles()) if (one.token && !one.over) await claim(one.id, one.token)
}
