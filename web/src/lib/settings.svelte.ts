// What a person prefers, kept in the browser: light or lamplight, palette, how the dice fall, steps, sound.

import { keep, recall } from './storage'

export { keep, recall } from './storage'

export interface Settings {
  theme: 'auto' | 'light' | 'dark'
  palette: 'staff' | 'orange' | 'crimson' | 'contrast'
  dice: 'slow' | 'quick' | 'none'
  /** What computers do: shown as it comes, or one step at a press. */
  computers: 'flow' | 'step'
  sound: boolean
  name: string
}

const KEY = 'dieselfront.settings'
const PLAIN: Settings = { theme: 'auto', palette: 'staff', dice: 'quick', computers: 'flow', sound: false, name: '' }

export const settings = $state<Settings>({ ...PLAIN, ...recall<Partial<Settings>>(KEY, {}) })

const lamp = matchMedia('(prefers-color-scheme: dark)')

export function dress(): void {
  const root = document.documentElement
  const dark = settings.theme === 'dark' || (settings.theme === 'auto' && lamp.matches)
  root.dataset['theme'] = dark ? 'dark' : 'light'
  root.dataset['palette'] = settings.palette
  root.dataset['motion'] = settings.dice === 'none' ? 'none' : 'full'
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#12110d' : '#565545')
}

lamp.addEventListener('change', dress)

export function prefer(change: Partial<Settings>): void {
  Object.assign(settings, change)
  keep(KEY, { ...settings })
  dress()
}
