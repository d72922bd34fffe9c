// What a game measures in, as its table tells: inches, or centimetres.

import type { View } from './types'

export interface Lengths {
  /** One unit in millimetres. */
  mm: number
  mark: string
  /** How many units there are between figures on the rim, and between lines of the grid. */
  figures: number
  grid: number
}

const INCHES: Lengths = { mm: 25.4, mark: '″', figures: 6, grid: 12 }

export function lengthsOf(view: View): Lengths {
  const unit = view.table.kind === 'measured' ? view.table.unit : undefined
  if (!unit || unit.mm > 20) return INCHES
  return { mm: unit.mm, mark: ` ${unit.mark.trim()}`, figures: 20, grid: 40 }
}

/** A length of the game in words: "10.8″", "27 cm". */
export const lengthText = (lengths: Lengths, length: number): string => `${+length.toFixed(1)}${lengths.mark}`
