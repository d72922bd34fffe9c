// Flags of objectives: the pole stands at the true place, the cloth flies where it covers no model.

import { overlap, type Rect } from './labels'

export interface Flag {
  /** From the foot of the pole, in pixels: where the pole ends, and the upper left corner of the cloth. */
  pole: readonly [number, number]
  cloth: readonly [number, number]
  /** The cloth points to the left. */
  left: boolean
}

export const CLOTH = { w: 25, h: 14 }
const TALL = 30

/** Upright first; then to the other side, higher, and leaning out of the way. */
const STANDS: readonly Flag[] = [0, 18, 36, 54].flatMap((more) =>
  [0, 26, -26, 48, -48].flatMap((lean) =>
    [false, true].map((left): Flag => ({ pole: [lean, -TALL - more], cloth: [left ? lean - CLOTH.w : lean, -TALL - more], left }))
  )
)

export const clothOf = (flag: Flag, x: number, y: number): Rect => ({ x: x + flag.cloth[0], y: y + flag.cloth[1], ...CLOTH })
/** What a flag takes up, with its pole. */
export const roomOf = (flag: Flag, x: number, y: number): Rect => {
  const [from, to] = [Math.min(flag.cloth[0], 0, flag.pole[0]) - 3, Math.max(flag.cloth[0] + CLOTH.w, 4, flag.pole[0])]
  return { x: x + from, y: y + flag.cloth[1] - 2, w: to - from, h: -flag.cloth[1] + 6 }
}

/** How a flag flies at a place: the first way in which its cloth covers no model and stays in the room. */
export function flagAt(x: number, y: number, models: readonly Rect[], room: Rect, taken: readonly Rect[] = []): Flag {
  let [best, least] = [STANDS[0]!, Infinity]
  for (const flag of STANDS) {
    const cloth = clothOf(flag, x, y)
    const out = cloth.x < room.x || cloth.y < room.y || cloth.x + cloth.w > room.x + room.w
    const covered = models.reduce((sum, one) => sum + overlap(cloth, one), 0) + 4 * taken.reduce((sum, one) => sum + overlap(cloth, one), 0) + (out ? 1000 : 0)
    if (covered < least - 1) [best, least] = [flag, covered]
    if (!covered) break
  }
  return best
}
