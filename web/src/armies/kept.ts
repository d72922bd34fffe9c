// Army lists kept in this browser; a new battle offers them too.

import { keep, recall } from '../lib/settings.svelte'
import type { Army } from './armies'

export interface Kept {
  id: string
  name: string
  army: Army
}

const KEY = 'dieselfront.armies'

export const keptArmies = (): Kept[] => recall<Kept[]>(KEY, [])

export function keepArmy(id: string, army: Army): Kept[] {
  const all = [{ id, name: army.name, army }, ...keptArmies().filter((one) => one.id !== id)].slice(0, 40)
  keep(KEY, all)
  return all
}

export function dropArmy(id: string): Kept[] {
  const all = keptArmies().filter((one) => one.id !== id)
  keep(KEY, all)
  return all
}
