// Weapons of silhouettes, root at the origin, pointing right: those mounted on hulls and carriages, those in hands.

import { abreast, bolt, cog, corners, cut, disc, eye, fill, flame, hole, join, line, put, spark, block, type Mark } from './ink'

export type Mounted =
  | 'mg' | 'hmg' | 'gun' | 'autocannon' | 'recoilless' | 'flak' | 'howitzer' | 'mortar' | 'rocket' | 'grenade' | 'flame' | 'tesla' | 'laser'
  | 'phaser' | 'gravity' | 'sonic' | 'gatling' | 'claw' | 'saw' | 'drill' | 'crane' | 'bomb' | 'napalm' | 'radar'

export interface System {
  kind: Mounted
  /** Calibre, from 0 for a rifle's to 5 for the largest. */
  size: number
  count: number
}

const CALIBRE = [[13, 2.6], [16, 3], [19, 3.4], [23, 4], [27, 4.8], [31, 5.8]] as const

const barrels = (count: number, length: number, w: number, gap = w + 2.4): Mark[] => abreast(count, gap, (y) => line(`M0 ${y.toFixed(1)}H${length}`, w, true))
export const barrelsAt = (x: number, y: number, length: number, w: number, count: number): Mark[] => put(barrels(count, length, w, w + 1.8), x, y)
const plate = (x0: number, x1: number, y: number, half: number): string => corners([x0, y - half], [x1, y - half], [x1, y + half], [x0, y + half])

/** One weapon system; `room` is how far it may reach. */
export function mounted({ kind, size, count }: System, room = 31): Mark[] {
  const two = Math.min(count, 2)
  switch (kind) {
    case 'mg':
      return barrels(two, Math.min(12, room), 2.6)
    case 'hmg': {
      const tubes = Math.min(count, 4)
      return abreast(tubes, tubes < 4 ? 5.6 : 4.8, (y) => [...line(`M0 ${y.toFixed(1)}H${Math.min(17, room)}`, 2.4, true), ...join(plate(0, 9, y, 1.9))])
    }
    case 'autocannon':
      return abreast(two, 5.6, (y) => [...line(`M0 ${y.toFixed(1)}H${Math.min(19, room)}`, 2.8, true), ...join(plate(0, 6, y, 2.6)), ...join(plate(Math.min(19, room) - 3, Math.min(19, room), y, 2.2))])
    case 'gun': {
      const [most, w] = CALIBRE[size] ?? CALIBRE[3]
      const length = Math.min(most, room)
      return abreast(Math.min(count, 3), w + 2.6, (y) => [
        ...line(`M0 ${y.toFixed(1)}H${length}`, w, true),
        ...(size >= 4 ? [...join(plate(length - 4.5, length, y, w / 2 + 1.6)), ...cut(`M${(length - 2.2).toFixed(1)} ${(y - 6).toFixed(1)}v12`, 1.1)] : size === 3 ? join(plate(length - 2.6, length, y, w / 2 + 1)) : [])
      ])
    }
    case 'recoilless': {
      const length = Math.min(22, room)
      const tubes = abreast(Math.min(count, 3), 6.6, (y) => [
        ...fill(corners([-5, y - 3.2], [-1, y - 1.8], [length - 3, y - 1.8], [length, y - 2.6], [length, y + 2.6], [length - 3, y + 1.8], [-1, y + 1.8], [-5, y + 3.2])),
        ...cut([5, 9, 13].map((x) => `M${x} ${(y - 2).toFixed(1)}v4`).join(''), 1.2)
      ])
      return [...tubes, ...(count >= 6 ? block(3, -11, 5, 22) : [])]
    }
    case 'flak': {
      const tubes = Math.min(count, 4)
      const all = abreast(tubes, 4.8, (y) => {
        const length = Math.min(24, room)
        return [...line(`M0 ${y.toFixed(1)}H${length}`, 2.4, true), ...join(corners([length - 3, y - 1.2], [length + 1, y - 2.2], [length + 1, y + 2.2], [length - 3, y + 1.2]))]
      })
      return put([...all, ...(tubes > 2 ? block(3, -tubes * 2.4 - 1.5, 5, tubes * 4.8 + 3) : [])], 0, 0, -28)
    }
    case 'howitzer': {
      const [length, w] = size < 3 ? [15, 6] : size === 3 ? [18, 7] : [21, 8.4]
      return put(abreast(two, w + 2.2, (y) => fill(corners([0, y - w / 2], [length - 4, y - w / 2], [length - 4, y - w / 2 - 1.4], [length, y - w / 2 - 1.4], [length, y + w / 2 + 1.4], [length - 4, y + w / 2 + 1.4], [length - 4, y + w / 2], [0, y + w / 2]))), 0, 0, -18)
    }
    case 'mortar':
      return put([...fill('M-3 -4.6L13 -5.4V5.4L-3 4.6z'), ...hole('M10.5 -3.4H13.5V3.4H10.5z')], 0, 0, -30, size > 3 ? 1.15 : size < 3 ? 0.85 : 1)
    case 'rocket': {
      const long = count > 2 || size > 3
      const tubes = [-3.2, 3.2].flatMap((y) => fill(corners([14, y - 2.6], [17, y - 2.6], [22, y], [17, y + 2.6], [14, y + 2.6])))
      return put([...fill('M-5 -7.4H14V7.4H-5z'), ...tubes, ...cut('M-5 0H14', 1.6), ...(long ? cut('M2 -7.4V7.4', 1.6) : [])], 0, 0, -20)
    }
    case 'grenade':
      return abreast(two, 10, (y) => put([...fill('M-4 -3L2 -4.4H9V4.4H2L-4 3z'), ...line('M9 0H15', 4.4, true), ...cut('M3.5 -5V5M6.5 -5V5', 1.2)], 0, y))
    case 'flame':
      return abreast(two, 11, (y) => [...line(`M0 ${y.toFixed(1)}H9`, 4, true), ...join(plate(8, 12, y, 3)), ...flame(13, y, count === 1 ? Math.min(1, (room - 12) / 18) : 0.8)])
    case 'tesla': {
      const rings = ([[1, 6], [5.2, 5], [9.4, 4]] as const).flatMap(([x, r]) => join(plate(x, x + 2.4, 0, r)))
      const coil = [...fill('M-2 -2.4H13V2.4H-2z'), ...rings, ...disc(16, 0, 4), ...bolt(20, 1, 0.95)]
      return abreast(two, 11.5, (y) => put(coil, 0, y, 0, size >= 4 ? 1 : two === 1 ? 0.85 : 0.8))
    }
    case 'laser': {
      const rods = count > 3 ? 3 : two
      const length = Math.min(size > 3 ? 23 : 20, room - 4)
      return abreast(rods, 7, (y) => [...line(`M0 ${y.toFixed(1)}H${length}`, 2.8, true), ...[4, 8, 12].flatMap((x) => join(plate(x, x + 1.9, y, 3.2))), ...spark(length + 2, y, rods < 3 ? 5 : 4.2)])
    }
    case 'phaser': {
      const length = Math.min(14 + size * 1.5, room - 4)
      const r = two === 2 ? 4.2 : 4 + size * 0.5
      return abreast(two, 10, (y) => [
        ...fill(corners([0, y - 2.6], [length - 4, y - 2], [length, y - r], [length + 1.8, y - r], [length + 1.8, y + r], [length, y + r], [length - 4, y + 2], [0, y + 2.6])),
        ...cut(`M4 ${(y - 3).toFixed(1)}v6M7.5 ${(y - 3).toFixed(1)}v6`, 1.3),
        ...disc(length + 4.6, y, 1.9)
      ])
    }
    case 'gravity':
      return [...fill('M0 -2.5H6L12 -7V7L6 2.5H0z'), ...line('M15.5 -6.5Q19 0 15.5 6.5', 2.4), ...line('M20.5 -8.5Q25.5 0 20.5 8.5', 2.4), ...(size >= 4 ? line('M25.7 -10Q31.5 0 25.7 10', 2.4) : [])]
    case 'sonic':
      return [...fill('M0 -3H5L13 -9V9L5 3H0z'), ...hole('M9.5 -3V3L12 5V-5z'), ...line('M17 -5V5', 2.4), ...line('M22 -8V8', 2.4)]
    case 'gatling':
      return abreast(two, 11.6, (y) => put([...fill('M-3 -4H3V4H-3z'), ...barrels(3, 18, 1.9, 2.9), ...join('M8 -5.2H10.6V5.2H8zM15 -5.2H17.6V5.2H15z')], 0, y))
    case 'claw':
      return abreast(two, 14, (y) => put([...line('M0 0H8', 4.6), ...fill('M7 -2Q11 -9 20 -7Q15 -4 14 -1.5L9 0L14 1.5Q15 4 20 7Q11 9 7 2z')], 0, y, 0, count < 2 ? 1 : 0.85))
    case 'saw':
      return abreast(two, 13, (y) => put([...line('M0 0H7', 4.6), ...cog(15, 0, 8.4), ...eye(15, 0, 2.3)], 0, y, 0, count < 2 ? 1 : 0.8))
    case 'drill':
      return [...line('M0 0H6', 5), ...fill('M6 -6L22 0L6 6z'), ...cut('M9 -6L12 5M13.5 -4L16 3', 1.4)]
    case 'crane':
      return [...line('M-4 4L12 -12L20 -9', 3.2), ...line('M20 -9V0', 1.8), ...line('M20 0q3.5 1 2 4q-3 2 -4.5 -1', 2)]
    default:
      return []
  }
}

const HANDS: Record<string, () => Mark[]> = {
  rifle: () => [...fill('M-12 0L-4 -2.4H6V2H-3L-11 5z'), ...line('M6 -.8H21', 2.4, true)],
  autorifle: () => [...fill('M-12 0L-4 -2.6H9V2.2H-3L-11 5z'), ...line('M9 -.6H20', 2.6, true), ...fill('M1 1.5H6V8H2z')],
  assault: () => [...fill('M-11 0L-4 -2.6H9V2.2H-3L-10 5z'), ...line('M9 -.6H16', 2.6, true), ...fill('M1 1.5H5.5Q6 6 9 9L5 11Q1 6 1 1.5z')],
  smg: () => [...fill('M-8 -2.6H8V2.4H-8z'), ...line('M8 -.2H14', 2.6, true), ...disc(2.5, 5.4, 4.2), ...fill('M-6 2H-2V7H-6z')],
  shotgun: () => [...fill('M-12 1L-4 -2.6H3V2.6H-3L-11 6z'), ...line('M2 -1.8H17M2 1.9H14', 2.4, true)],
  mg: () => [...fill('M-12 -1L-4 -3H10V3H-3L-11 5z'), ...line('M9 0H23', 3.4, true), ...cut('M13 -2V2M16.5 -2V2', 1.2), ...fill('M0 2.5H8V9H0z')],
  'twin mg': () => [...fill('M-7 -6.5H8V6.5H-7z'), ...line('M8 -3.4H22M8 3.4H22', 3, true), ...cut('M12 -6V6M15.5 -6V6', 1.2), ...cut('M-7 0H8', 1.4)],
  sniper: () => [...fill('M-13 1L-5 -2.4H7V2H-4L-12 6z'), ...line('M7 -.6H29', 2.2, true), ...fill('M-3 -8H9L11 -9V-4L9 -5H-3z'), ...line('M22 0L19 8M22 0L25 8', 1.8)],
  bazooka: () => put([...fill('M-17 -3.6L-14 -2.8H17L20 -4V4L17 2.8H-14L-17 3.6z'), ...cut('M-7 -4V4M7 -4V4', 1.3), ...fill('M-1 2H3V9H-1z')], 0, -7),
  faust: () => put([...line('M-14 0H10', 2.8, true), ...fill('M8 -2L13 -5.5L17 -5.5L24 0L17 5.5L13 5.5L8 2z')], 0, -4),
  rockets: () => put([...fill('M-12 -6H14V6H-12z'), ...cut('M-12 0H14M-4 -6V6', 1.5), ...fill('M14 -5L20 -3L14 -1zM14 1L20 3L14 5z'), ...fill('M0 5H4V11H0z')], 0, -6),
  grenade: () => [...fill('M-10 0L-4 -2.4H0V2.4L-9 5z'), ...disc(4, 0.5, 5.6), ...eye(4, 0.5, 1.7), ...line('M9 -1H17', 4.4, true)],
  flame: () => [...line('M-8 1H9', 3, true), ...fill('M-2 1H2V7H-2z'), ...flame(10, 0, 0.95)],
  molotov: () => [...fill('M2 -2H8V6H2z'), ...line('M5 -2V-7', 2.6), ...put(flame(0, 0, 0.6), 4, -7, -80)],
  phaser: () => [...fill('M-10 1L-4 -3H9L13 -6H15V6H13L9 3H-3L-9 5z'), ...cut('M1 -3.5V3.5M5 -3.5V3.5', 1.3), ...disc(18.6, 0, 2.2)],
  laser: () => [...fill('M-10 1L-4 -3H3V3H-3L-9 5z'), ...line('M3 0H18', 2.4, true), ...join('M5 -3.8h2.2V3.8H5zM9.4 -3.8h2.2V3.8H9.4zM13.8 -3.8h2.2V3.8H13.8z'), ...spark(21.5, 0, 6)],
  tesla: () => [...fill('M-8 -3.4H4V3.4H-8z'), ...line('M4 0H12', 3, true), ...join('M5 -5.4H7.4V5.4H5zM9.2 -4.4H11.6V4.4H9.2z'), ...disc(14.5, 0, 3.4), ...bolt(17, 1, 0.95)],
  gravity: () => [...fill('M-8 -2.6H5L10 -6.5V6.5L5 2.6H-8z'), ...line('M13.5 -6Q17 0 13.5 6M18.5 -7.5Q23 0 18.5 7.5', 2.2)],
  pistol: () => fill('M-2 -2.4H12V1.6H3L2 7H-3z'),
  'laser pistol': () => [...fill('M-2 -2.4H9V1.6H3L2 7H-3z'), ...spark(13, -0.4, 5)],
  fist: () => [...fill('M-3 -6H9Q16 -6 16 0T9 6.5H-3z'), ...cut('M9 -2.4H16M9 1.6H16', 1.4), ...cut('M2 -6V6', 1.4)],
  claw: () => [...fill('M-3 -4H3V4H-3z'), ...line('M3 -3.4L16 -7M3 0H18M3 3.4L16 7', 2.4)],
  saw: () => mounted({ kind: 'saw', size: 1, count: 1 }),
  drill: () => mounted({ kind: 'drill', size: 1, count: 1 }),
  blade: () => [...line('M-4 0H2', 3), ...fill('M2 -4H4.5V4H2z'), ...fill('M4 -2L20 -3.5Q25 -2 25 1L4 2z')],
  polearm: () => [...line('M-20 0H16', 2.4), ...fill('M14 -1Q18 -8 28 -5Q24 3 14 2z')],
  knife: () => [...line('M-3 0H2', 3), ...fill('M2 -2L13 0L2 2.4z')],
  wrench: () => [...line('M-6 0H12', 3.6), ...fill('M10 -2Q11 -7 17 -7L15 -2.4H19L21 -6Q24 0 19 4Q13 6 10 2z')],
  demo: () => [...fill('M0 -6H13V6H0z'), ...cut('M0 0H13M6.5 -6V6', 1.4), ...line('M10 -6q1 -5 5 -4', 1.8)],
  mine: () => [...fill('M-1 3Q-1 -5 8 -5T17 3z'), ...line('M8 -5V-8', 2.6)],
  crossbow: () => [...line('M-10 1H12', 2.8), ...line('M8 -10Q16 0 8 10', 2.6), ...line('M12 1H20', 1.8)],
  'anti-tank': () => [...fill('M-13 1L-5 -2.8H8V2.4H-4L-12 6z'), ...line('M8 -.4H30', 3, true), ...fill('M27 -3.4H31V2.6H27z'), ...line('M20 0L16 9M20 0L24 9', 2)],
  fungus: () => fill('M0 -3L8 -6L14 -2L20 -5L18 3L10 6L3 4z')
}

export interface Held {
  kind: string
  count: number
}

/** A weapon in hands, grip at the origin. */
export const held = ({ kind, count }: Held): Mark[] => (HANDS[kind === 'mg' && count > 1 ? 'twin mg' : kind] ?? (() => []))()
export const HAND_WEAPONS = Object.keys(HANDS)
