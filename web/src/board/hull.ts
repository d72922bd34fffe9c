// Hulls and guns from above at true size, front towards smaller y: tracks, wheels or legs, deck, turret, the weapon that matters.

import { partsOf } from './silhouette/compose'
import { systemsOf, type Facts } from './silhouette/facts'
import type { System } from './silhouette/weapons'

export interface Piece {
  look: 'track' | 'tread' | 'body' | 'trim' | 'deck' | 'top' | 'dark' | 'bone' | 'brass' | 'fire' | 'glow'
  d: string
  w?: number
}

const n = (value: number): string => String(Math.round(value * 10) / 10)
const box = (x: number, y: number, w: number, h: number, cut = 0): string =>
  cut ? `M${n(x + cut)} ${n(y)}h${n(w - 2 * cut)}l${n(cut)} ${n(cut)}v${n(h - 2 * cut)}l${n(-cut)} ${n(cut)}h${n(2 * cut - w)}l${n(-cut)} ${n(-cut)}v${n(2 * cut - h)}z` : `M${n(x)} ${n(y)}h${n(w)}v${n(h)}h${n(-w)}z`
const round = (x: number, y: number, r: number): string => `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0z`

/** A weapon from above, its root at a point, `long` towards the front. */
export function barrel({ kind, size, count }: System, x: number, y: number, long: number): Piece[] {
  const tubes = Math.min(count, ['mg', 'hmg'].includes(kind) ? 2 : 3)
  const thick = Math.max(2.2, 1.6 + size * 0.8)
  const at = (i: number): number => x + (i - (tubes - 1) / 2) * (thick + 2.6)
  const each = (one: (tx: number) => Piece[]): Piece[] => Array.from({ length: tubes }, (_, i) => one(at(i))).flat()
  const tube = (tx: number, w: number, far: number): Piece => ({ look: 'top', d: box(tx - w / 2, y - far, w, far) })
  switch (kind) {
    case 'flame':
      return each((tx) => [tube(tx, thick, long * 0.6), { look: 'fire', d: `M${n(tx - 2)} ${n(y - long * 0.6)}q-5 ${n(-long * 0.25)} 2 ${n(-long * 0.45)}q7 ${n(long * 0.2)} 2 ${n(long * 0.45)}z` }])
    case 'tesla':
      return each((tx) => [tube(tx, 3, long * 0.75), { look: 'top', d: [0.2, 0.4, 0.6].map((share) => box(tx - 6 + share * 4, y - long * share, 12 - share * 8, 2.6)).join('') }, { look: 'glow', d: round(tx, y - long * 0.82, 4) }])
    case 'laser':
      return each((tx) => [tube(tx, 3, long * 0.85), { look: 'top', d: [0.25, 0.45, 0.65].map((share) => box(tx - 4, y - long * share, 8, 2)).join('') }, { look: 'glow', d: round(tx, y - long * 0.9, 2.6) }])
    case 'phaser':
    case 'gravity':
    case 'sonic':
      return [{ look: 'top', d: `M${n(x - 3)} ${n(y)}V${n(y - long * 0.5)}L${n(x - 9)} ${n(y - long * 0.8)}H${n(x + 9)}L${n(x + 3)} ${n(y - long * 0.5)}V${n(y)}z` }, { look: 'glow', d: round(x, y - long * 0.86, 2.6) }]
    case 'rocket':
    case 'bomb':
      return [{ look: 'top', d: box(x - 9, y - long * 0.5, 18, long * 0.6, 2) }, { look: 'dark', d: [-5, 0, 5].map((dx) => round(x + dx, y - long * 0.42, 1.9)).join('') }, { look: 'trim', d: `M${n(x - 3)} ${n(y - long * 0.48)}v${n(long * 0.56)}M${n(x + 3)} ${n(y - long * 0.48)}v${n(long * 0.56)}`, w: 1 }]
    case 'howitzer':
    case 'mortar':
      return [{ look: 'top', d: box(x - thick * 0.9, y - long * 0.5, thick * 1.8, long * 0.5) }, { look: 'dark', d: round(x, y - long * 0.5, thick * 0.62) }]
    case 'claw':
    case 'saw':
    case 'drill':
      return [{ look: 'top', d: `M${n(x - 3)} ${n(y)}V${n(y - long * 0.4)}L${n(x - 8)} ${n(y - long * 0.7)}L${n(x)} ${n(y - long * 0.5)}L${n(x + 8)} ${n(y - long * 0.7)}L${n(x + 3)} ${n(y - long * 0.4)}V${n(y)}z` }]
    case 'gatling':
    case 'flak':
    case 'hmg':
    case 'mg':
      return each((tx) => [tube(tx, kind === 'mg' ? 2 : 2.6, long * (kind === 'mg' ? 0.55 : 0.8))])
    default:
      return each((tx) => [tube(tx, thick, long), ...(size >= 3 ? [{ look: 'top' as const, d: box(tx - thick / 2 - 1.6, y - long - 1, thick + 3.2, 6) }] : [])])
  }
}

/** What a vehicle is, from its silhouette's main part: "tank 3 turret", "walker 2 2 legs", "jeep 1". */
export const bodyOf = (facts: Facts): string => partsOf(facts).find((part) => /^(tank|walker|half-track|truck|jeep|car|bike|boat|bunker|horror|winged)/.test(part.name))?.name ?? 'car 1'

/** A vehicle `width` by `length` millimetres. */
export function hull(facts: Facts, width: number, length: number): Piece[] {
  const [X, Y] = [width / 2, length / 2]
  const body = bodyOf(facts)
  const systems = systemsOf(facts.weapons)
  const gun = systems[0]
  const second = systems[1]
  if (body.startsWith('walker')) return walker(X, Y, body.includes('4 legs'), gun, second)
  const pieces: Piece[] = []
  if (body.startsWith('horror') || body.startsWith('winged')) return [{ look: 'body', d: round(0, 0, Math.min(X, Y) * 0.7) }, { look: 'trim', d: [0, 60, 120, 180, 240, 300].map((a) => `M0 0L${n(Math.cos((a * Math.PI) / 180) * X)} ${n(Math.sin((a * Math.PI) / 180) * Y)}`).join(''), w: 4 }]
  if (body.startsWith('tank')) {
    for (const side of [-1, 1]) {
      pieces.push({ look: 'track', d: box(side < 0 ? -X : X * 0.56, -Y, X * 0.44, length, 3) })
      pieces.push({ look: 'tread', d: `M${n(side * X * 0.78)} ${n(-Y + 3)}V${n(Y - 3)}`, w: X * 0.34 })
    }
    pieces.push({ look: 'body', d: box(-X * 0.7, -Y, X * 1.4, length, X * 0.16) }, { look: 'trim', d: box(-X * 0.6, -Y + 4, X * 1.2, length - 8, X * 0.14), w: 1.6 })
    pieces.push({ look: 'trim', d: `M${n(-X * 0.6)} ${n(Y * 0.55)}H${n(X * 0.6)}`, w: 1.2 }, { look: 'dark', d: [0.62, 0.7, 0.78, 0.86].map((share) => box(-X * 0.4, Y * share, X * 0.8, 1.4)).join('') })
    return [...pieces, ...front(Y), ...turret(X, Y, /casemate/.test(body), /open/.test(body), gun, second)]
  }
  if (body.startsWith('boat')) return [{ look: 'body', d: `M${n(-X)} ${n(Y)}V${n(-Y * 0.5)}L${n(-X * 0.6)} ${n(-Y)}H${n(X * 0.6)}L${n(X)} ${n(-Y * 0.5)}V${n(Y)}z` }, { look: 'deck', d: box(-X * 0.7, -Y * 0.6, X * 1.4, Y * 1.2) }, ...front(Y), ...turret(X * 0.6, Y * 0.4, false, false, gun, second)]
  if (body.startsWith('bunker')) return [{ look: 'body', d: box(-X, -Y, width, length, X * 0.3) }, { look: 'trim', d: box(-X * 0.8, -Y * 0.8, X * 1.6, Y * 1.6, X * 0.22), w: 1.6 }, ...front(Y), ...turret(X, Y, false, false, gun, second)]
  const half = body.startsWith('half-track')
  const wheels = half ? [-0.66] : body.startsWith('jeep') || body.startsWith('bike') ? [-0.6, 0.6] : [-0.66, 0.3, 0.72]
  for (const side of [-1, 1]) {
    if (half) pieces.push({ look: 'track', d: box(side < 0 ? -X : X * 0.5, -Y * 0.2, X * 0.5, Y * 1.14, 3) }, { look: 'tread', d: `M${n(side * X * 0.75)} ${n(-Y * 0.16)}V${n(Y * 0.9)}`, w: X * 0.4 })
    for (const share of wheels) pieces.push({ look: 'track', d: box(side < 0 ? -X : X * 0.62, Y * share - Y * 0.15, X * 0.38, Y * 0.3, 2.5) })
  }
  const nose = Y * 0.28
  pieces.push({ look: 'body', d: `M${n(-X * 0.72)} ${n(Y)}V${n(-Y + nose)}L${n(-X * 0.52)} ${n(-Y)}H${n(X * 0.52)}L${n(X * 0.72)} ${n(-Y + nose)}V${n(Y)}z` })
  if (/^(truck|jeep|half-track)/.test(body)) {
    pieces.push({ look: 'deck', d: box(-X * 0.58, -Y * 0.02, X * 1.16, Y * 0.92) }, { look: 'trim', d: [0.2, 0.45, 0.7].map((share) => `M${n(-X * 0.58)} ${n(Y * share)}H${n(X * 0.58)}`).join(''), w: 1.4 }, { look: 'dark', d: box(-X * 0.5, -Y * 0.3, X, Y * 0.16, 2) })
    return [...pieces, ...front(Y), ...(gun ? barrel(gun, 0, Y * 0.3, Y * 0.8) : [])]
  }
  pieces.push({ look: 'trim', d: box(-X * 0.6, -Y * 0.7, X * 1.2, Y * 1.6, 4), w: 1.6 })
  return [...pieces, ...front(Y), ...turret(X * 0.9, Y * 0.8, false, false, gun, second)]
}

/** A chevron on the deck: which end is the front, even without a gun. */
const front = (Y: number): Piece[] => [{ look: 'trim', d: `M-7 ${n(-Y + 13)}L0 ${n(-Y + 6)}L7 ${n(-Y + 13)}`, w: 2.6 }]

function turret(X: number, Y: number, fixed: boolean, open: boolean, gun: System | undefined, second: System | undefined): Piece[] {
  const r = X * 0.56
  const cy = fixed ? -Y * 0.18 : -Y * 0.06
  const pieces: Piece[] = gun ? barrel(gun, 0, cy - r * 0.7, Math.min(Y * 0.95, 12 + gun.size * Y * 0.14)) : []
  if (second && second.kind !== gun?.kind) pieces.push(...barrel({ ...second, count: 1, size: Math.min(second.size, 2) }, r * 0.62, cy - r * 0.5, Y * 0.36))
  const lid = fixed ? `M${n(-r * 1.1)} ${n(cy + r * 1.5)}L${n(-r)} ${n(cy - r * 0.6)}L${n(-r * 0.6)} ${n(cy - r)}H${n(r * 0.6)}L${n(r)} ${n(cy - r * 0.6)}L${n(r * 1.1)} ${n(cy + r * 1.5)}z` : box(-r, cy - r * 1.05, 2 * r, r * 2.2, r * 0.4)
  pieces.push({ look: 'top', d: lid }, { look: 'trim', d: box(-r * 0.74, cy - r * 0.78, r * 1.48, r * 1.66, r * 0.3), w: 1.3 })
  pieces.push(open ? { look: 'deck', d: box(-r * 0.6, cy - r * 0.5, r * 1.2, r * 1.3) } : { look: 'dark', d: round(-r * 0.28, cy + r * 0.28, r * 0.3) })
  return pieces
}

function walker(X: number, Y: number, four: boolean, gun: System | undefined, second: System | undefined): Piece[] {
  const feet: [number, number][] = four ? [[-0.74, -0.66], [0.74, -0.66], [-0.74, 0.66], [0.74, 0.66]] : [[-0.76, -0.2], [0.76, 0.2]]
  const [fw, fh] = four ? [X * 0.25, Y * 0.3] : [X * 0.24, Y * 0.46]
  const pieces: Piece[] = feet.map(([fx, fy]): Piece => ({ look: 'dark', d: `M0 0L${n(fx * X)} ${n(fy * Y)}`, w: Math.max(5, X * 0.2) }))
  for (const [fx, fy] of feet) pieces.push({ look: 'track', d: box(fx * X - fw, fy * Y - fh, 2 * fw, 2 * fh, fw * 0.4) }, { look: 'trim', d: `M${n(fx * X - fw * 0.6)} ${n(fy * Y - fh * 0.6)}h${n(fw * 1.2)}M${n(fx * X - fw * 0.6)} ${n(fy * Y + fh * 0.6)}h${n(fw * 1.2)}`, w: 1.4 })
  const [bx, by] = [X * 0.62, Y * 0.7]
  pieces.push({ look: 'body', d: box(-bx, -by, 2 * bx, 2 * by, bx * 0.36) }, { look: 'trim', d: box(-bx * 0.82, -by * 0.84, bx * 1.64, by * 1.68, bx * 0.3), w: 1.5 }, { look: 'trim', d: `M-5 ${n(-by * 0.5)}L0 ${n(-by * 0.74)}L5 ${n(-by * 0.5)}`, w: 2.2 })
  if (gun) pieces.push(...barrel(gun, bx * 0.72, -by * 0.2, Y * 0.86))
  if (second) pieces.push(...barrel({ ...second, count: Math.min(2, second.count) }, -bx * 0.72, -by * 0.2, Y * 0.7))
  return [...pieces, { look: 'top', d: box(-bx * 0.6, -by * 0.3, bx * 1.2, by, bx * 0.24) }, { look: 'dark', d: round(0, by * 0.24, bx * 0.24) }]
}

/** A crewed gun on a base of `r` millimetres: wheels, trails, shield, barrel. */
export function fieldGun(facts: Facts, r: number): Piece[] {
  const gun = systemsOf(facts.weapons.filter((name) => !/rifle|pistol|smg/i.test(name)))[0] ?? { kind: 'gun' as const, size: 3, count: 1 }
  return [
    { look: 'dark', d: `M0 0L${n(-r * 0.46)} ${n(r * 0.84)}M0 0L${n(r * 0.46)} ${n(r * 0.84)}`, w: 4 },
    { look: 'track', d: box(-r * 0.62, -r * 0.26, r * 0.2, r * 0.56, 2) + box(r * 0.42, -r * 0.26, r * 0.2, r * 0.56, 2) },
    ...barrel(gun, 0, 0, r * 0.95),
    { look: 'body', d: `M${n(-r * 0.5)} ${n(-r * 0.1)}L${n(-r * 0.34)} ${n(-r * 0.24)}H${n(r * 0.34)}L${n(r * 0.5)} ${n(-r * 0.1)}V${n(r * 0.02)}H${n(-r * 0.5)}z` }
  ]
}

/** What a man carries, seen from above, in a base of 12.5 mm: a path and its width. */
const CARRIED: Record<string, [string, number]> = {
  rifle: ['M3.2 1.9L2.2 -11.5', 2.1],
  smg: ['M3.2 1L2.2 -7', 3.2],
  pistol: ['M3.8 1L3.2 -6', 2.2],
  mg: ['M2.6 3.2L2 -15M-1.4 -13.8L2 -10.2L5.300 -13.800', 2.4],
  sniper: ['M2.8 3L2 -16.500M.2 -6H4', 1.8],
  tube: ['M4.2 7.400L3.500 -12.800', 4.2],
  flame: ['M2.6 2L2 -8M-1 -13L2 -8L5 -13M2 -8V-15', 2.2],
  beam: ['M2.6 2L2 -10M-1 -10H5M-.5 -7H4.500M2 -14V-12', 2],
  blade: ['M4 1L9 -9', 2],
  pack: ['M-4 4.500H4V8.500H-4z', 2.4]
}
const CLASSES: [RegExp, string][] = [
  [/^(bazooka|rockets|faust|anti-tank|grenade)$/, 'tube'],
  [/^(flame|molotov)$/, 'flame'],
  [/^(tesla|laser|phaser|gravity|laser pistol)$/, 'beam'],
  [/^(mg|twin mg|autorifle)$/, 'mg'],
  [/^sniper$/, 'sniper'],
  [/^(smg|shotgun|assault)$/, 'smg'],
  [/^pistol$/, 'pistol'],
  [/^(blade|knife|polearm|fist|claw|saw|drill|wrench)$/, 'blade'],
  [/^(demo|mine)$/, 'pack']
]
/** The weapon drawn in a model's hands, by its kind. */
export const carried = (kind: string): [string, number] => CARRIED[CLASSES.find(([pattern]) => pattern.test(kind))?.[1] ?? 'rifle']!
