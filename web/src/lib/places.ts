// Squares by name: "C4" is column 2, row 3; "C4+1" its first floor.

export interface Square {
  x: number
  y: number
  level: number
}

export const CELL = 100

export function square(name: string): Square {
  const match = /^([A-Z]+)(\d+)(?:\+(\d+))?$/.exec(name)
  if (!match) return { x: 0, y: 0, level: 0 }
  let x = 0
  for (const letter of match[1] ?? '') x = x * 26 + letter.charCodeAt(0) - 64
  return { x: x - 1, y: Number(match[2]) - 1, level: Number(match[3] ?? 0) }
}

export function column(x: number): string {
  return x < 26 ? String.fromCharCode(65 + x) : column(Math.floor(x / 26) - 1) + column(x % 26)
}

/** The middle of some squares, in drawing units. */
export function middle(places: string[]): { x: number; y: number } {
  const all = places.map(square)
  const n = Math.max(1, all.length)
  return {
    x: (all.reduce((sum, place) => sum + place.x, 0) / n + 0.5) * CELL,
    y: (all.reduce((sum, place) => sum + place.y, 0) / n + 0.5) * CELL
  }
}

/** A repeatable scatter for drawing trees and rubble: numbers from 0 to 1. */
export function scatter(seed: number, count: number): number[] {
  const numbers: number[] = []
  let state = (seed * 2654435761) >>> 0 || 1
  for (let i = 0; i < count; i += 1) {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    numbers.push(state / 4294967296)
  }
  return numbers
}

/** A spot of a measured table by its name, "75/10 cm", in millimetres; null for a square. */
export function spotOf(label: string): { label: string; x: number; y: number } | null {
  const [, x, y] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?) cm$/.exec(label) ?? []
  return x && y ? { label, x: Number(x) * 10, y: Number(y) * 10 } : null
}
