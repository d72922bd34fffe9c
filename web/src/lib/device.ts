// Who somebody is on this server: a key that this browser keeps. It opens his seats, so it never stands in an address.

import { keep, recall } from './storage'

export interface Device {
  id: string
  name: string
  key: string
  /** Has a recovery code been shown and put away? */
  safe?: boolean
}

const KEY = 'dieselfront.person'

export const device = (): Device | null => recall<Device | null>(KEY, null)
export const deviceKey = (): string => device()?.key ?? ''
export const keepDevice = (one: Device | null): void => keep(KEY, one)
