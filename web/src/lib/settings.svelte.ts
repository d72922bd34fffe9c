// What a person prefers, kept in the browser: light or lamplight, palette, how the dice fall.

export interface Settings {
  theme: 'auto' | 'light' | 'dark'
  palette: 'staff' | 'orange' | 'crimson' | 'contrast'
  dice: 'slow' | 'quick' | 'none'
  name: string
}

const KEY = 'dieselfront.settings'
const PLAIN: Settings = { theme: 'auto', palette: 'staff', dice: 'quick', name: '' }

export function recall<T>(key: string, otherwise: T): T {
  try {
    const found = localStorage.getItem(key)
    return found ? (JSON.parse(found) as T) : otherwise
  } catch {
    return otherwise
  }
}

export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // A browser that keeps nothing still plays.
  }
}

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
