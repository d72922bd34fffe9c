// What this browser keeps for the next visit.

export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key)
    return text ? (JSON.parse(text) as T) : otherwise
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
