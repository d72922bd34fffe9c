// Push notifications of this browser: the service worker listens, the server sends when it is one's turn.

import type { PushKey, Subscribed } from '../lib/api-types'
import { asMe, become } from './person.svelte'

export const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const worker = (): Promise<ServiceWorkerRegistration> => navigator.serviceWorker.ready

export async function pushIsOn(): Promise<boolean> {
  if (!canPush() || Notification.permission !== 'granted') return false
  const known = await navigator.serviceWorker.getRegistration()
  return Boolean(await known?.pushManager.getSubscription())
}

/** Ask the browser, then tell the server where it listens; an error says what stands in the way. */
export async function startPush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('The browser does not allow notifications of this page; its settings do.')
  await become()
  const { key } = await asMe<PushKey>('/people/push')
  const manager = (await worker()).pushManager
  let made: PushSubscription
  try {
    made = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  } catch {
    throw new Error('The push service of this browser cannot be reached; try again later.')
  }
  const { endpoint, keys } = made.toJSON()
  await asMe<Subscribed>('/people/me/push', { endpoint, keys: { p256dh: keys?.['p256dh'], auth: keys?.['auth'] } })
}

export async function stopPush(): Promise<void> {
  const made = await (await worker()).pushManager.getSubscription()
  if (!made) return
  await asMe<Subscribed>('/people/me/push/stop', { endpoint: made.endpoint })
  await made.unsubscribe()
}
