// How long dice take to fall on the screen.

import type { Throw } from '../battle/throws'
import type { Settings } from './settings.svelte'

const STEP: Record<Settings['dice'], number> = { slow: 130, quick: 35, none: 0 }
const FALL = 420
/** Nobody waits longer than this for one position. */
const LONGEST: Record<Settings['dice'], number> = { slow: 6000, quick: 1800, none: 0 }

/** When a die begins to fall: throw by throw, stage by stage, die by die. */
export const fallDelay = (speed: Settings['dice'], throwNumber: number, stage: number, die: number): number => (throwNumber * 5 + stage * 8 + die) * STEP[speed]

/** Until the last die of these throws lies still, in milliseconds; nothing where nothing moves. */
export function fallTime(throws: readonly Throw[], speed: Settings['dice']): number {
  if (!throws.length || speed === 'none' || matchMedia('(prefers-reduced-motion: reduce)').matches) return 0
  const last = Math.max(...throws.map((one, t) => Math.max(...one.stages.map((stage, s) => fallDelay(speed, t, s, Math.max(0, stage.dice.length - 1))))))
  return Math.min(LONGEST[speed], last + FALL)
}
