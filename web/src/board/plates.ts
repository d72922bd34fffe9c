// What stands on a label of a measured table, and how large it is.

import type { UnitView } from '../lib/types'
import { widthOf } from './labels'
import type { Frame } from './liveries'

export const FULL = 36
export const COMPACT = { w: 42, h: 38 }

/** Order dice as signs of our own: fire, advance, run, ambush, rally, down. */
export const ORDER_SIGNS: Record<string, string> = {
  fire: 'M-4 0H4M0 -4V4',
  advance: 'M-3.600 2.800L0 -3.600L3.600 2.800',
  run: 'M-3.800 -3.200L-.4 0L-3.800 3.200M.6 -3.200L4 0L.6 3.200',
  ambush: 'M-4.200 0Q0 -5 4.200 0Q0 5 -4.200 0M0 -.2h.01',
  rally: 'M0 4V-4M-3 -1L0 -4L3 -1M-3.600 4H3.600',
  down: 'M-3.800 -2L0 2.200L3.800 -2'
}

/** Models left, or damage left, as pips; none where there is but one to lose. */
export function pipsOf(unit: UnitView): boolean[] {
  const most = unit.left_max ?? (unit.damage_max || unit.models_max)
  const left = unit.left ?? (unit.damage_max ? unit.damage_max - (unit.damage ?? 0) : unit.models_left)
  return most > 1 ? Array.from({ length: Math.min(most, 16) }, (_, i) => i < (most > 16 ? Math.round((left * 16) / most) : left)) : []
}

const TONES: Record<string, string> = { 'under fire': 'fire', burning: 'fire', suppressed: 'bad', stunned: 'bad', 'caught in wire': 'bad', grappled: 'bad', immobilised: 'bad', halted: 'bad', slowed: 'bad', 'NCO lost': 'bad' }

/** States worth a letter: tokens that neither the die nor the pins tell, the floor it is on, who rides in it. */
export function chips(unit: UnitView, riders = 0): { letter: string; tone: string; text: string }[] {
  const tokens = unit.tokens.filter((token) => token !== unit.order && !/^\d+ (pins?|suppression)$/.test(token))
  const made = tokens.slice(0, 3).map((token) => ({ letter: token.charAt(0).toUpperCase(), tone: TONES[token] ?? 'good', text: token }))
  if (unit.building) made.unshift({ letter: `⌂${unit.floor || ''}`, tone: 'plain', text: unit.floor ? `inside, floor ${unit.floor}` : 'inside' })
  if (riders) made.unshift({ letter: `+${riders}`, tone: 'plain', text: `${riders} aboard` })
  return made.slice(0, 3)
}

/** The sizes a label may have, the one with the name first. */
export function plateSizes(unit: UnitView, name: string, riders = 0): { w: number; h: number }[] {
  const pips = pipsOf(unit).length
  const die = unit.order === undefined ? 0 : 18
  const row = Math.min(62, pips * 5.4) + chips(unit, riders).length * 15 + die + 6
  return [{ w: Math.ceil(Math.max(widthOf(name, 13.5) + 8, row) + 50), h: FULL }, COMPACT]
}

/** A side's frame at any size, from its upper left corner. */
export function outlineOf(frame: Frame, w: number, h: number): string {
  switch (frame) {
    case 'octagon':
      return `M6 0H${w - 6}L${w} 6V${h - 6}L${w - 6} ${h}H6L0 ${h - 6}V6z`
    case 'hexagon':
      return `M7 0H${w - 7}L${w} ${h / 2}L${w - 7} ${h}H7L0 ${h / 2}z`
    case 'shield':
      return `M0 0H${w}V${h - 8}Q${w} ${h - 3} ${w / 2} ${h}Q0 ${h - 3} 0 ${h - 8}z`
    case 'lozenge':
      return `M3 0Q${w / 2} 4 ${w - 3} 0Q${w} ${h / 2} ${w - 3} ${h}Q${w / 2} ${h - 4} 3 ${h}Q0 ${h / 2} 3 0z`
    default:
      return `M5 0H${w - 5}Q${w} 0 ${w} 5V${h - 5}Q${w} ${h} ${w - 5} ${h}H5Q0 ${h} 0 ${h - 5}V5Q0 0 5 0z`
  }
}
