// Bodies of silhouettes: hulls with the places where weapons go, aircraft, men, beasts, and the small badges.

import { GROUND, corners, cut, disc, eye, fill, flame, hole, line, put, spark, block, star, type Mark, type Style } from './ink'
import { barrelsAt, held, type System } from './weapons'

type Spot = readonly [number, number]
export interface Hull {
  marks: Mark[]
  main: Spot
  top: Spot
  rear: Spot
  side: Spot
  front: number
  bed?: Spot
  shoulder?: boolean
  pintle?: boolean
}

const HATS: Record<string, string> = {
  cap: 'M-7 -2L-8 -7Q0 -10.5 8 -8L7 -3L10 0H-6z',
  fur: 'M-7.5 5V-5Q-7 -9 0 -9Q7 -9 7 -4V-1H-2V5z',
  soft: 'M-6 -2Q-6 -6.5 0 -6.5Q6 -6.5 6 -2L10 -1V.5H-6z',
  beret: 'M-9 -2Q-8 -8 1 -8Q8 -7 7 -2L-4 -2z',
  hood: 'M-8 6Q-9 -9 1 -9Q8 -8 7 -1L3 -3L-1 0L-2 6z',
  pilot: 'M-6.5 4Q-8 -7 0 -7.5Q6 -7 6.5 -2L1 -2L-1 4z'
}
const HELMETS: Record<Style, string> = {
  round: 'M-7 -1Q-7 -8 0 -8Q7 -8 7.5 -.5L8 1H-7z',
  faceted: 'M-8.5 3.5L-6.5 -3Q-5 -8 1 -8Q7 -7 7 -2L8.5 .5H-3Q-4 4 -8.5 3.5z',
  stepped: 'M-7.5 2Q-7 -9 0 -9Q7 -9 7 -2L9 0H-2V2z'
}

export function head(x: number, y: number, style: Style, size = 1, hat = 'helmet'): Mark[] {
  const top = hat === 'none' ? '' : (HATS[hat] ?? HELMETS[style])
  return put([...disc(0, 0, 5), ...(top ? fill(top) : []), ...(hat === 'pilot' ? hole('M2 -2.5H6V.5H2z') : [])], x, y, 0, size)
}

// -- hulls ---------------------------------------------------------------------------------------

const by = <T,>(style: Style, round: T, faceted: T, stepped: T): T => (style === 'round' ? round : style === 'faceted' ? faceted : stepped)

function walkerBox(style: Style, x0: number, x1: number, y0: number, y1: number): string {
  const m = (y0 + y1) / 2
  const middle = (x0 + x1) / 2
  return by(
    style,
    `M${x0} ${y1}V${y0 + 6}Q${x0} ${y0} ${x0 + 7} ${y0}H${x1 - 10}Q${x1 + 1} ${y0} ${x1} ${m}L${x1 - 4} ${y1}z`,
    corners([x0 + 3, y1], [x0 - 1, m], [x0 + 5, y0], [x1 - 9, y0], [x1 + 2, m - 1], [x1 - 5, y1]),
    corners([x0, y1], [x0, y0 + 4], [middle - 1, y0 + 4], [middle + 2, y0 - 2], [x1 - 4, y0 - 2], [x1 + 1, m], [x1 - 2, y1])
  )
}

/** A walker on two or four legs; `panels` on its flank count the class within a size. */
export function walker(size: number, legs: number, style: Style, panels: number): Hull {
  const [x0, x1, y0, y1, w] = ([[-19, 5, -13, 2, 4.6], [-23, 9, -16, 3, 5.8], [-28, 10, -15, 4, 5.8], [-31, 13, -17, 5, 6.6]] as const)[size - 1] ?? [-23, 9, -16, 3, 5.8]
  const y = y1 - 2
  const foot = (x: number, half = 6): Mark[] => line(`M${x - half} ${GROUND - 1.2}H${x + half}`, 3.4)
  const leg = (x: number, knee: Spot, end: number, thick: number, half: number): Mark[] => [...line(`M${x} ${y}L${knee[0]} ${knee[1]}L${end} ${GROUND - 2}`, thick), ...foot(end, half)]
  const marks: Mark[] = []
  if (legs === 2) {
    const [a, b] = [x0 + 7, x1 - 6]
    const [back, fore] = by<Spot>(style, [-7, 7], [-9, -8], [-1, 1])
    const [far, near] = by<Spot>(style, [2, -1], [2, -1], [4, -3])
    marks.push(...leg(b, [b + fore, y + 8], b + far, w, 6), ...leg(a, [a + back, y + 8], a + near, w, 6))
  } else if (size < 3) {
    const [a, b] = [x0 + 6, x1 - 6]
    marks.push(...leg(b, [b + 9, y - 2], b + 14, w - 1, 3.2), ...leg(a, [a - 9, y - 2], a - 14, w - 1, 3.2), ...leg(b - 2, [b + 2, y + 6], b + 4, w - 1, 3.2), ...leg(a + 2, [a - 2, y + 6], a - 4, w - 1, 3.2))
  } else {
    marks.push(...leg(x0 + 13, [x0 + 12, y + 5], x0 + 11, w - 1.2, 4.4), ...leg(x1 - 12, [x1 - 11, y + 5], x1 - 10, w - 1.2, 4.4), ...leg(x0 + 4, [x0 - 2, y + 4], x0, w, 4.6), ...leg(x1 - 4, [x1 + 4, y + 4], x1 + 3, w, 4.6))
  }
  marks.push(...fill(walkerBox(style, x0, x1, y0, y1)))
  if (legs === 2 || size > 2) marks.push(...eye(x0 + (legs === 2 ? 7 : 4), y - 0.5, 2.2), ...eye(x1 - (legs === 2 ? 6 : 4), y - 0.5, 2.2))
  const middle = (x0 + x1) / 2
  marks.push(...by(style, cut(`M${x1 - 10} ${y0 + 4.5}H${x1 - 1}`, 2.4), cut(`M${x1 - 12} ${y0 + 4}H${x1 - 4}`, 2.2), hole(`M${middle + 4} ${y0 + 1}H${x1 - 5.5}L${x1 - 3} ${y0 + 5}H${middle + 4}z`)))
  if (size === 4) marks.push(...fill(corners([x0 + 8, y0 + 1], [x0 + 11, y0 - 7], [x1 - 15, y0 - 7], [x1 - 11, y0 + 1])))
  for (let i = 0; i <= panels; i += 1) marks.push(...cut(`M${x0 + 5.5 + i * 4.5} ${y0 + 5}V${y1 - 5}`, 2))
  return { marks, main: [x1 - 7, (y0 + y1) / 2 + (size < 3 ? 1 : 0)], top: [middle - 4, y0 - (size === 4 ? 7 : 0)], rear: [x0 + 2, y0 + 2], side: [middle - 6, (y0 + y1) / 2], front: x1 + 2, shoulder: true }
}

export type Mount = 'turret' | 'casemate' | 'open'

export function tank(size: number, style: Style, mount: Mount): Hull {
  const [x0, x1, wheels] = ([[-24, 16, 4], [-28, 20, 5], [-31, 23, 6], [-33, 26, 7]] as const)[size - 1] ?? [-28, 20, 5]
  const [w, h] = ([[15, 9], [20, 11], [24, 12], [28, 14]] as const)[size - 1] ?? [20, 11]
  const hy = -size
  const r = Math.min(3.6, (x1 - x0 - 8) / wheels / 2 - 0.9)
  const marks: Mark[] = [...fill(`M${x0 + 5} 5H${x1 - 3}L${x1 + 1} 10L${x1 - 5} ${GROUND}H${x0 + 6}L${x0} 11z`)]
  for (let i = 0; i < wheels; i += 1) marks.push(...eye(x0 + 6 + ((x1 - x0 - 11) * (i + 0.5)) / wheels, GROUND - 6, r))
  if (size > 3) marks.push(...fill(corners([x0 + 1, 4], [x1 - 1, 4], [x1 - 3, 10.4], [x0 + 3, 10.4])))
  marks.push(...fill(by(style, `M${x0} 6L${x0 + 3} ${hy}H${x1 - 9}Q${x1} ${hy} ${x1 + 1} 6z`, corners([x0, 6], [x0 + 2, hy], [x1 - 7, hy], [x1 + 2, 4], [x1, 6]), corners([x0 - 1, 6], [x0 + 6, hy], [x1 - 12, hy], [x1 + 3, 6]))))
  const tx = x0 + (x1 - x0) * 0.46 - w / 2
  const ty = hy - h
  if (mount === 'turret') {
    const dome = by(
      style,
      `M${tx} ${hy}Q${tx - 2} ${ty} ${tx + 6} ${ty}H${tx + w - 7}Q${tx + w + 1} ${ty + 2} ${tx + w + 1} ${hy}z`,
      corners([tx - 2, hy], [tx - 1, ty + 2], [tx + 4, ty], [tx + w - 5, ty], [tx + w + 2, ty + h * 0.55], [tx + w, hy]),
      `M${tx} ${hy}Q${tx - 3} ${ty + 3} ${tx + w * 0.4} ${ty}Q${tx + w + 1} ${ty} ${tx + w + 2} ${hy}z`
    )
    marks.push(...fill(dome), ...block(tx + 3, ty - 3, 7, 4))
    return { marks, main: [tx + w - 1, ty + h / 2], top: [tx + 6, ty - 3], rear: [tx - 1, ty + 3], side: [tx + w / 2, ty + h / 2], front: x1 + 1 }
  }
  if (mount === 'casemate') {
    marks.push(...fill(corners([x0 + 4, hy + 1], [x0 + 9, hy - h + 2], [x1 - 14, hy - h + 2], [x1 - 3, hy + 1])))
    return { marks, main: [x1 - 11, hy - h * 0.38], top: [x0 + 16, hy - h + 2], rear: [x0 + 8, hy - 5], side: [(x0 + x1) / 2 - 4, hy - 4], front: x1 + 1 }
  }
  marks.push(...head(tx - 1, hy - 6, style, 0.8), ...fill(corners([tx + 6, hy + 1], [tx + 9, hy - 12], [tx + 12, hy - 12], [tx + 12, hy + 1])))
  return { marks, main: [tx + 9, hy - 6], top: [tx, hy - 2], rear: [x0 + 4, hy], side: [x0 + 12, hy + 2], front: x1 + 1 }
}

const wheel = (x: number, y: number, r: number, hub: number): Mark[] => [...disc(x, y, r), ...eye(x, y, hub)]

export type Wheels = 'half-track' | 'truck' | 'jeep' | 'car' | 'bike' | 'boat' | 'bunker'

export function carriage(kind: Wheels, size: number, style: Style, troops: boolean): Hull {
  switch (kind) {
    case 'half-track': {
      const marks = [...fill('M-28 7V-5L-8 -7L-4 -13H6L10 -5L27 -2L29 8z'), ...cut('M-1 -9.5H5.5', 2.4), ...fill('M-30 7H1Q7 7 7 12T1 20H-25Q-31 20 -32 13Q-32 7 -28 7z'), ...[-23, -13.5, -4].flatMap((x) => eye(x, 13.6, 3.2)), ...wheel(20, 12, 8, 3)]
      return { marks, main: [-8, -16], top: [-14, -7], rear: [-25, -5], side: [-16, 1], front: 29, bed: [-14, -5] }
    }
    case 'truck': {
      const canvas = troops ? [...fill('M-31 1V-11Q-31 -15 -27 -15H-2Q2 -15 2 -11V1z'), ...cut('M-22 -15V1M-13 -15V1M-4.5 -15V1', 1.5)] : []
      const marks = [...fill('M-32 8V2H4V8z'), ...fill('M5 9V-14H16L20 -4L30 -2V9z'), ...hole('M8.5 -10.5H14L16.6 -4.5H8.5z'), ...canvas, ...[-23, -7, 20].flatMap((x) => wheel(x, 12.5, 7.4, 2.6))]
      return { marks, main: [7, -20], top: [-20, troops ? -15 : 1], rear: [-30, 2], side: [-16, -6], front: 30, bed: [-14, 1] }
    }
    case 'jeep': {
      const marks = [...head(-5, -6, style, 0.74), ...fill('M-26 9V-1H-15L-12 3H2L4 -3H24Q28 -2 28 9z'), ...line('M5 -3L2 -10', 2.4), ...wheel(-15, 12, 7.8, 2.8), ...wheel(18, 12, 7.8, 2.8)]
      return { marks, main: [-17, -18], top: [-20, -1], rear: [-24, -1], side: [14, 2], front: 28, pintle: true, bed: [-15, -1] }
    }
    case 'bike': {
      const marks = [...wheel(-17, 11, 8.6, 4.4), ...wheel(18, 11, 8.6, 4.4), ...fill('M-17 9L-8 -2H8L18 9L10 9L6 4H-6L-10 10z'), ...line('M12 0L9 -9L5 -9', 2.6), ...head(-3, -13, style, 0.9), ...fill('M-9 -2Q-9 -9 -3 -9Q3 -9 7 -6L2 0z'), ...fill('M-2 13Q-2 3 10 4L27 7Q30 13 25 15H2Q-2 15 -2 13z')]
      return { marks, main: [17, 3], top: [-6, -2], rear: [-20, 0], side: [8, 8], front: 28, pintle: true }
    }
    case 'boat': {
      const marks = [...fill('M-33 2H-14V-8H-4V2H22L33 -6V4L25 17H-27Q-32 12 -33 2z'), ...hole('M-12 -5H-6V-2H-12z'), ...cut('M20 2L24 15', 1.8), ...line('M-34 20q5 -4 10 0t10 0t10 0t10 0t10 0t10 0', 2)]
      return { marks, main: [-4, -9], top: [-10, -8], rear: [-28, 2], side: [2, 8], front: 30 }
    }
    case 'bunker': {
      const marks = [...fill('M-33 20L-27 -2L-14 -10H14L26 -2L32 20z'), ...cut('M-31 9H30', 1.8), ...fill('M-9 -9Q-9 -17 0 -17Q9 -17 10 -9z'), ...cut('M-20 -1.5H-9', 3)]
      return { marks, main: [5, -8], top: [-3, -17], rear: [-22, -6], side: [0, 14], front: 30 }
    }
    default: {
      const [x0, x1] = size === 1 ? [-25, 24] : [-31, 26]
      const body = by(style, `M${x0} 8L${x0 + 2} -2Q${x0 + 4} -5 ${x0 + 9} -5H${x1 - 12}Q${x1} -4 ${x1} 8z`, corners([x0 + 2, 9], [x0 - 1, 2], [x0 + 7, -6], [x1 - 11, -6], [x1 + 2, 2], [x1 - 2, 9]), corners([x0, 8], [x0 + 6, -3], [-8, -7], [x1 - 12, -7], [x1 - 7, 0], [x1 + 1, 2], [x1, 8]))
      const marks = [...fill(body), ...fill('M-14 -5L-11 -15H3L8 -5z'), ...(size === 1 ? [-17, 15] : [-22, -4, 16]).flatMap((x) => wheel(x, 12, 7.6, 2.7))]
      return { marks, main: [3, -10], top: [-6, -15], rear: [x0 + 8, -6], side: [x0 + 12, 2], front: x1 }
    }
  }
}

// -- aircraft ------------------------------------------------------------------------------------

/** Seen from above, nose up; the counter turns it. */
export function plane(style: Style, light: boolean, systems: readonly System[], radar: boolean): Mark[] {
  const has = (kind: string): number => systems.find((one) => one.kind === kind)?.count ?? 0
  const marks: Mark[] = []
  if (has('bomb') || has('rocket')) for (const x of [-17, 17]) marks.push(...fill(`M${x - 2.6} 0V-12Q${x} -20 ${x + 2.6} -12V0z`))
  if (has('laser')) for (const x of [-11, 11]) marks.push(...line(`M${x} 0V-18`, 2.6), ...spark(x, -20, 4.6))
  if (has('hmg') || has('autocannon') || has('mg')) {
    const wing = has('hmg') > 4 ? (has('laser') ? [-22, 22] : [-22, -14, 14, 22]) : [-3.2, 3.2]
    for (const x of wing) marks.push(...line(`M${x} -8V${Math.abs(x) > 5 ? -15 : -29}`, 2.2, true))
  }
  marks.push(...fill(light ? 'M-33 -11H33V-4H-33z' : by(style, 'M-5 -9L-30 -5Q-34 -1 -29 3L-5 5H5L29 3Q34 -1 30 -5L5 -9z', 'M-4 -11L-32 4V9L-4 4H4L32 9V4L4 -11z', 'M-4 -9H-31V0L-4 3H4L31 0V-9H4z')))
  if (style === 'faceted' && !light) for (const x of [-11, 11]) marks.push(...fill(`M${x - 3} 8V-7Q${x} -11 ${x + 3} -7V8z`))
  marks.push(...fill('M0 -25Q5 -21 5 -10L3.5 13H-3.5L-5 -10Q-5 -21 0 -25z'), ...fill('M-3 12L-13 17V21H13V17L3 12z'), ...hole('M-2 -15Q0 -18 2 -15V-8H-2z'))
  if (has('gun')) marks.push(...line('M0 -20V-31', 4.4, true), ...fill('M-4 -32H4V-28H-4z'))
  if (radar) marks.push(...line('M-7 -27V-31M7 -27V-31M-7 -27H7M0 -27V-23', 2))
  if (light) marks.push(...line('M-8 -25H8', 2.4))
  if (has('napalm')) marks.push(...put(flame(0, 0, 0.6), 0, 16, 90))
  return marks
}

export interface Lift {
  large: boolean
  lifter: boolean
  medic: boolean
  cabin: boolean
  control: boolean
}

export function helicopter(style: Style, lift: Lift, systems: readonly System[]): Mark[] {
  const marks: Mark[] = []
  if (lift.large)
    marks.push(...fill('M-29 -9Q-18 -3 -6 -3Q14 -4 20 -13Q30 -13 31 -4Q31 7 18 9H-14Q-28 8 -32 -8z'), ...hole('M22 -9Q27 -9 27.5 -3H20.5z'), ...[-14, -5, 4].flatMap((x) => hole(`M${x} 0h4v4h-4z`)), ...line('M-24 -10V-17M20 -13V-20', 3), ...line('M-31 -18H-10M4 -21H31', 2.6))
  else {
    marks.push(...fill('M-31 -16L-27 -17L-24 -9L-8 -9Q0 -14 12 -13Q28 -9 29 0Q28 7 16 8H-4Q-9 4 -12 -1L-31 -6z'), ...hole('M14 -9Q23 -7 24.5 -1H13z'), ...line('M3 -13V-20', 3.4), ...line('M-23 -21H29', 2.8), ...disc(3, -21, 2.6))
    if (style === 'round') marks.push(...line('M-31 -18V-2', 2.4))
  }
  if (lift.medic) marks.push(...hole('M-1 -8H4V-4H8V1H4V5H-1V1H-5V-4H-1z'))
  else if (lift.lifter) marks.push(...line('M4 8V14', 1.8), ...fill('M-12 13H20V20H-12z'), ...cut('M-12 13L20 20M20 13L-12 20', 1.4))
  else if (lift.cabin && !lift.large) marks.push(...hole('M-3 -7H8V4H-3z'), ...fill('M0 4V-1Q2.5 -3 5 -1V4z'), ...disc(2.5, -3.4, 2))
  if (lift.control) marks.push(...put([...fill('M-7 0Q0 9 7 0z'), ...line('M0 5V9', 2)], -19, lift.large ? -8 : -17, -25))
  const slung = systems.filter((one) => ['rocket', 'bomb', 'napalm', 'gun', 'gatling', 'laser', 'tesla', 'flame'].includes(one.kind)).slice(0, 2)
  if (!lift.lifter) {
    slung.forEach((one, i) => {
      const x = slung.length > 1 ? 4 - i * 16 : 2
      const y = 13.5
      marks.push(...line(`M${x} 7V${y}`, 2))
      if (one.kind === 'rocket') marks.push(...fill(corners([x - 8, y - 1], [x + 6, y - 1], [x + 9, y + 2.5], [x + 6, y + 6], [x - 8, y + 6])), ...cut(`M${x - 8} ${y + 2.5}h14M${x - 2} ${y - 1}v7`, 1.3))
      else if (one.kind === 'bomb' || one.kind === 'napalm') marks.push(...fill(`M${x - 9} ${y}L${x - 5} ${y + 1}Q${x + 4} ${y - 3} ${x + 8} ${y + 3}Q${x + 4} ${y + 8} ${x - 5} ${y + 5}L${x - 9} ${y + 6}z`), ...(one.kind === 'napalm' ? flame(x - 3, y + 3, 0.34) : []))
      else marks.push(...fill(corners([x - 6, y - 1], [x + 4, y - 1], [x + 4, y + 5], [x - 6, y + 5])), ...(one.kind === 'gatling' ? barrelsAt(x + 4, y + 2, 10, 1.8, 3) : barrelsAt(x + 4, y + 2, 14, 3.6, 1)), ...(one.kind === 'laser' || one.kind === 'tesla' ? spark(x + 20, y + 2, 4.6) : []))
    })
    if (!slung.length) marks.push(...line('M-6 14H20M0 8V14M13 8V14', 2.4))
  }
  if (systems.some((one) => one.kind === 'hmg' || one.kind === 'mg')) marks.push(...barrelsAt(24, 3.5, 10, 2, systems.some((one) => one.kind === 'hmg' && one.count > 1) ? 2 : 1))
  return marks
}

// -- men and beasts, feet at the origin, about 44 high ---------------------------------------------

export type Build = 1 | 2 | 3 | 4

const PACKS: Record<string, Mark[]> = {
  tanks: [...fill('M-15 -31Q-12 -34 -9 -31V-15H-15z'), ...fill('M-10 -30Q-8 -33 -5 -30V-14H-10z')],
  jump: fill('M-16 -34L-8 -31V-16L-16 -13z'),
  chute: [...fill('M-15 -31H-6V-15H-15z'), ...cut('M-15 -23H-6', 1.4)],
  radio: [...fill('M-15 -31H-6V-15H-15z'), ...line('M-13 -30V-47', 1.8)],
  cape: fill('M-6 -31L-14 -4L-4 -8z')
}

/** Cloth, shoulder plates, round powered armour, or a walking safe. */
export function man(build: Build, style: Style, hat = 'helmet', pack = '', coat = false): Mark[] {
  const marks: Mark[] = [...(PACKS[pack] ?? [])]
  if (build <= 2) {
    marks.push(...(coat ? [...fill('M-7 -17L-10 -4H10L7 -17z'), ...fill('M-8 -4V0H-2V-4zM2 -4V0H9V-4z')] : fill('M-7 -16L-10 0H-3L0 -9L4 0H11L7 -16z')))
    marks.push(...fill('M-8 -28Q-6 -31 0 -31Q6 -31 8 -28L8 -14H-8z'), ...cut('M-8 -17.5H8', 1.5))
    if (build === 2) marks.push(...disc(-7, -27.5, 4.4), ...disc(8, -27.5, 4.4))
    return [...marks, ...head(0.5, -36, style, 1, hat)]
  }
  if (build === 3)
    return [...marks, ...fill('M-11 -15L-13 -2V0H-3L-1 -9L2 0H13V-2L11 -15z'), ...cut('M-11 -7H-3M3 -7H11', 1.4), ...fill('M-12 -28Q-10 -34 0 -34Q10 -34 12 -28L10 -13H-10z'), ...disc(-11.5, -28, 6), ...disc(12, -28, 6), ...head(1, -36.5, style, 0.9, hat), ...cut('M-8 -19H8', 1.5)]
  return [...marks, ...fill('M-13 -14L-14 0H-3V-8H3V0H14L13 -14z'), ...fill('M-14 -12L-15 -32L-9 -39H9L15 -32L14 -12z'), ...hole('M-3 -34.5H10V-30.5H-3z'), ...cut('M-14 -20H14', 1.5), ...block(-20, -33, 8, 13), ...block(12, -33, 8, 13)]
}

/** A man of the rear rank: one outline, no detail. */
export function echo(build: Build, style: Style, hat = 'helmet'): Mark[] {
  if (build <= 2) return [...fill('M-10 0L-8 -28Q-6 -31 0 -31Q6 -31 8 -28L11 0H3L0 -8L-3 0z'), ...head(0.5, -36, style, 1, hat)]
  if (build === 3) return [...fill('M-13 0L-12 -16Q-18 -19 -17 -29Q-14 -35 -6 -34H8Q16 -34 17 -28Q17 -19 12 -16L13 0H3L0 -8L-3 0z'), ...head(1, -36.5, style, 0.9, hat)]
  return fill('M-14 0L-14 -20H-20V-31L-9 -39H9L20 -31V-20H14V0H3V-8H-3V0z')
}

export function kneeling(build: Build, style: Style, hat = 'helmet'): Mark[] {
  const wide = build >= 3 ? 8.75 : 7
  return [...fill('M-10 0L-9 -5L-4 -10H5L8 -8L7 0H2L1 -4L-1 0z'), ...fill(`M${-wide} -8Q${-wide} -19 0 -19Q${wide} -19 ${wide} -10L5 -7z`), ...(build >= 3 ? [...disc(-7, -16, 4.4), ...disc(7, -16, 4.4)] : []), ...head(1, -23.5, style, 0.9, hat)]
}

export const BEASTS: Record<string, (style: Style) => Mark[]> = {
  zombie: (style) => [...fill('M-8 -15L-12 0H-5L-1 -10L2 0H9L5 -16z'), ...fill('M-11 -17Q-12 -29 0 -31L8 -27L6 -14z'), ...head(9, -29, style, 0.95, 'none'), ...fill('M4 -25L21 -27L25 -24L22 -21L5 -19z'), ...fill('M2 -20L16 -15L20 -18L21 -12L14 -11L2 -15z'), ...hole('M9 -30.5h2.6v2.6h-2.6z'), ...cut('M-9 -20L-4 -17M-10 -25L-4 -22', 1.4)],
  ape: () => [...fill('M-12 -14L-14 0H-4L-2 -9L3 0H11L9 -14z'), ...fill('M-17 -14Q-20 -32 -4 -34Q12 -35 15 -22L12 -10H-14z'), ...fill('M-16 -24Q-23 -10 -19 0H-11Q-14 -10 -9 -20z'), ...put([...fill('M-7 5Q-9 -7 0 -8Q8 -8 8 0Q9 6 2 6z'), ...hole('M2 -3.5H7V-1H2z')], 12, -31)],
  wolf: () => [...fill('M-16 0L-13 -10Q-16 -26 -2 -28L4 -34L7 -29L18 -25L16 -20L8 -19L10 -8L16 -6L14 -3L6 -4L4 0H-2L0 -9H-6L-9 0z'), ...line('M-14 -14L-22 -8', 3), ...hole('M8 -27h3v2h-3z')],
  dog: () => [...fill('M-15 0L-14 -8Q-14 -14 -8 -14H4L8 -20L11 -17L19 -14L18 -11L11 -9L9 0H5L4 -7H-8L-10 0z'), ...line('M-14 -12L-20 -17', 2.4)],
  winged: () => [...fill('M-2 -30Q-22 -48 -30 -30Q-24 -30 -22 -24Q-16 -27 -12 -20L-2 -22z'), ...fill('M2 -30Q18 -46 30 -36Q24 -33 24 -27Q16 -28 12 -20L2 -22z'), ...fill('M-8 -28Q0 -36 8 -28L6 -10L10 0H5L0 -8L-5 0H-10L-6 -10z'), ...fill('M-5 -30Q-8 -42 0 -42Q8 -42 5 -30z'), ...line('M4 -24L16 -16L14 -8M-4 -24L-14 -14', 2.8)],
  horror: () => [...line('M-12 18Q-28 16 -30 2M-4 18Q-14 8 -22 -6M10 18Q26 14 31 -4M4 18Q18 8 22 -12', 4.4), ...fill('M-14 20Q-18 -4 -8 -16Q0 -26 9 -16Q18 -4 14 20z'), ...eye(-4, -10, 2.2), ...eye(4, -10, 2.2), ...eye(0, -4, 2.2), ...cut('M-6 4V18M0 4V18M6 4V18', 1.8)]
}

// -- badges, round the origin -----------------------------------------------------------------------

export const BADGES: Record<string, () => Mark[]> = {
  star: () => star(0, 0, 7.2),
  medic: () => fill('M-2.4 -6.5H2.4V-2.4H6.5V2.4H2.4V6.5H-2.4V2.4H-6.5V-2.4H-2.4z'),
  command: () => [...line('M-4 8V-7', 2), ...fill('M-3 -7L8 -4L-3 -.5z')],
  observer: () => [...fill('M-8 5L-6 -6H-2L-1.2 -3H1.2L2 -6H6L8 5H1.4L.8 0H-.8L-1.4 5z'), ...cut('M-8 1.5H-1.2M1.2 1.5H8', 1.4)],
  scout: () => [...line('M-5 1L0 -5L5 1', 2.6), ...line('M-5 6L0 0L5 6', 2.6)],
  airborne: () => [...fill('M-7.5 0Q-7 -7.5 0 -7.5T7.5 0z'), ...line('M-6 0L0 8L6 0', 1.5)],
  wrench: () => put(held({ kind: 'wrench', count: 1 }), -5, 4, -45, 0.72),
  wave: () => line('M-7 0q3.5 -5 7 0t7 0M-7 6q3.5 -5 7 0t7 0', 2.2),
  peak: () => fill('M-8 6L-1 -6L3 0L5 -3L9 6z'),
  elite: () => fill('M-6 -6L0 -2L6 -6V-1L0 6L-6 -1z'),
  radar: () => put([...fill('M-7 -2Q0 7 7 -2z'), ...line('M0 -2V-6M0 3V8', 2)], 0, 0, 30)
}
