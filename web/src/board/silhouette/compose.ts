// The grammar: the facts of a card in, the parts of its silhouette out. Pure, and the same for the same facts.

import { BADGES, BEASTS, carriage, echo, head, helicopter, kneeling, man, plane, tank, walker, type Build, type Hull, type Mount, type Wheels } from './bodies'
import { armourOf, calibreOf, headcount, heldOf, styleOf, systemsOf, type Facts } from './facts'
import { corners, cut, disc, eye, fill, flame, hole, line, put, star, block, type Mark, type Style } from './ink'
import { held, mounted, type Held, type System } from './weapons'

export interface Part {
  /** What the part is: "tank 3 turret", "gun 4", "badge scout". */
  name: string
  marks: Mark[]
}

/** Everything that decides about a picture, read once. */
interface Reading {
  facts: Facts
  /** Name and skills in small letters. */
  words: string
  style: Style
  letter: string
  level: number
  small: boolean
}

const MINOR = new Set(['mg', 'hmg', 'autocannon'])
const part = (name: string, marks: Mark[]): Part[] => (marks.length ? [{ name, marks }] : [])
const named = (system: System): string => `${system.kind} ${system.size} ×${system.count}`

/** The parts of a silhouette, back to front; `small` is for counters below 48 px. */
export function partsOf(card: Facts, small = false): Part[] {
  const facts = { ...card, models: headcount(card) }
  const armour = armourOf(facts)
  const words = [facts.name, ...facts.skills].join(' ').toLowerCase()
  const reading: Reading = { facts, words, style: styleOf(facts.side, facts.name), letter: armour.charAt(0), level: Number(armour.slice(1)) || 1, small }
  if (facts.kind === 'aircraft' || reading.letter === 'A') return aircraft(reading)
  if (reading.letter === 'V' && /mythos/.test(words)) return creature(reading)
  if (facts.kind === 'fortification' || facts.locomotion === 'immobile') return bunker(reading)
  if (reading.letter === 'V' || /^(vehicle|walker|transport)$/.test(facts.kind)) return vehicle(reading)
  return isCrewed(reading) ? crewed(reading) : men(reading)
}

/** What two cards share if they are drawn alike. */
export const signature = (parts: readonly Part[]): string => parts.map((one) => one.marks.map((mark) => `${mark.ink}${mark.d}${mark.w ?? ''}${mark.at ?? ''}`).join()).join('|')

// -- in the air ------------------------------------------------------------------------------------

function aircraft({ facts, words, style, level }: Reading): Part[] {
  const systems = systemsOf(facts.weapons)
  const pilot = /pilot:/.test(words) ? part('badge star', star(0, 2, 5)) : []
  if (/helicopter/.test(words)) {
    const lift = { large: /passengers \((1[2-9]|2\d)\)/.test(words), lifter: /airlifter/.test(words), medic: /medevac/.test(words), cabin: /passengers/.test(words), control: /air traffic control/.test(words) }
    return part('helicopter', helicopter(style, lift, systems))
  }
  return [...part('plane', plane(style, level === 1, systems, /radar/.test(words))), ...pilot]
}

const creature = ({ words, level, style }: Reading): Part[] =>
  /flying/.test(words) ? part('winged horror', put(BEASTS['winged']!(style), 0, 20, 0, 1.05)) : part('horror', put(BEASTS['horror']!(style), 0, 0, 0, 0.8 + level * 0.03))

// -- vehicles ----------------------------------------------------------------------------------------

function bunker({ facts, style }: Reading): Part[] {
  const gun = systemsOf(facts.weapons.filter((name) => !/rifle/i.test(name)))[0]
  const body = carriage('bunker', 2, style, false)
  return [...part('bunker', body.marks), ...(gun ? part(named(gun), put(mounted(gun, 27), ...body.main)) : [])]
}

const sizeOf = (level: number): number => (level <= 3 ? 1 : level <= 5 ? 2 : level === 6 ? 3 : 4)

function wheels({ facts, words }: Reading): Wheels {
  const way = facts.locomotion.replace('_', '-')
  const name = facts.name.toLowerCase()
  if (way === 'naval' || /sealifter/.test(words)) return 'boat'
  if (way === 'half-tracked' || /half-?track|sdkfz 25[01]|hanomag|panzerwerfer/.test(name)) return 'half-track'
  if (/motor ?(cycle|bike)|zundapp|zündapp|sidecar|kettenkrad/.test(name)) return 'bike'
  if (/jeep|willys|k[uü]belwagen|schwimm|seep|field car|staff car|gaz-?67|utility/.test(name)) return 'jeep'
  if (/truck|lorry|passengers/.test(words) || /soft/i.test(facts.armour)) return 'truck'
  return 'car'
}

function badgeOfVehicle({ words }: Reading): string {
  const rules: [RegExp, string][] = [[/pilot:/, 'star'], [/command vehicle/, 'command'], [/air traffic|radar/, 'radar'], [/mechanic|\barv\b|recovery|tractor/, 'wrench'], [/airborne/, 'airborne'], [/artillery observer/, 'observer'], [/scout|recce/, 'scout'], [/medic|ambulance/, 'medic']]
  return rules.find(([pattern]) => pattern.test(words))?.[1] ?? ''
}

function mountOf({ facts, words, level }: Reading, major: readonly System[]): Mount {
  const gun = facts.weapons.find((name) => !/mg|machine/i.test(name)) ?? ''
  if (/open-topped/.test(words) || level <= 2) return 'open'
  return /hull-mounted|casemate|rear-facing/i.test(gun) || !major.length ? 'casemate' : 'turret'
}

function vehicle(reading: Reading): Part[] {
  const { facts, words, style, level, small } = reading
  const systems = systemsOf(facts.weapons)
  const major = systems.filter((one) => !MINOR.has(one.kind))
  const size = sizeOf(level)
  const way = facts.locomotion === 'tracked' ? 'tank' : facts.locomotion === 'walker' || facts.kind === 'walker' || !facts.locomotion ? 'walker' : wheels(reading)
  const load = /passengers/.test(words) || facts.kind === 'transport'
  const legs = size >= 3 || /spinne|spider/.test(words) ? 4 : 2
  const mount = mountOf(reading, major)
  const onWheels = way !== 'tank' && way !== 'walker'
  let body: Hull
  if (way === 'walker') body = walker(size, legs, style, level === 7 ? 2 : level % 2)
  else if (way === 'tank') body = tank(size, style, mount)
  else body = carriage(way, size, style, load && !major.length)
  const parts: Part[] = []
  let [mx, my] = body.main
  if (/dozer/.test(words)) parts.push(...part('dozer blade', fill(corners([body.front + 1, 4], [body.front + 5, 3], [body.front + 3, 12], [body.front + 6, 19], [body.front + 1, 19]))))
  const second = major[1]
  const pedestal: Mark[] = []
  if (body.bed && major.length && (way === 'truck' || way === 'half-track' || way === 'jeep')) {
    const [bx, by] = body.bed
    ;[mx, my] = [bx + 2, by - 9]
    pedestal.push(...fill(corners([bx - 6, by + 1], [bx - 3, by - 9], [bx + 3, by - 9], [bx + 6, by + 1])))
  }
  const arm = second && body.shoulder && ['flame', 'claw', 'saw', 'gun', 'drill', 'laser', 'phaser', 'crane'].includes(second.kind)
  if (arm) my -= 3
  else if (second) parts.push(...part(`roof ${named(second)}`, put(mounted({ ...second, size: Math.min(second.size, 3), count: 1 }, 20), body.top[0] - 2, body.top[1] - 2, ['mortar', 'howitzer', 'flak'].includes(second.kind) ? 0 : -8, 0.8)))
  parts.push(...part(`${way} ${size}${way === 'tank' ? ` ${mount}` : way === 'walker' ? ` ${legs} legs` : ''}`, [...body.marks, ...pedestal]))
  parts.push(...onRoof(reading, body, systems, second !== undefined, way))
  const gun = major[0] ?? systems[0]
  if (gun) {
    const pintle = !major.length && (body.pintle || onWheels)
    if (pintle) parts.push(...part('pintle', line(`M${mx + 2} ${my + (way === 'jeep' ? 17 : 9)}V${my}`, 2.4)))
    const enlarged = small && body.shoulder && size < 3 && !['tesla', 'flame', 'gun'].includes(gun.kind) ? 1.12 : 1
    parts.push(...part(named(gun), put(mounted(pintle ? { ...gun, count: Math.min(gun.count, 2) } : gun, 33 - mx), mx, my, pintle && body.pintle ? -10 : 0, enlarged)))
    if (arm && second) parts.push(...part(`arm ${named(second)}`, [...put(mounted({ ...second, size: Math.min(second.size, 3), count: 1 }, 24), mx - 3, my + 11, 8, 0.72), ...disc(mx - 3, my + 11, 3.4)]))
    if (body.shoulder && major.length) parts.push(...part('shoulder', [...disc(mx, my, size < 3 ? 4.8 : 5.4), ...eye(mx, my, 1.8)]))
  }
  const badge = badgeOfVehicle(reading)
  if (badge) parts.push(...part(`badge ${badge}`, put(BADGES[badge]!(), -28, -20)))
  if (/flying|\bjump\b/.test(words)) parts.push(...part('jets', put(flame(0, 0, 0.8), -26, 0, 90)))
  if (/amphib|schwimm|dukw/.test(words)) parts.push(...part('waves', line('M-33 18q4 -4 8 0t8 0t8 0t8 0t8 0t8 0t8 0', 2.2)))
  return parts
}

/** A third machine gun on the roof, heads or a door of those it carries, armour plates and skirts. */
function onRoof({ words, style }: Reading, body: Hull, systems: readonly System[], taken: boolean, way: string): Part[] {
  const parts: Part[] = []
  const guns = systems.filter((one) => one.kind === 'mg' || one.kind === 'hmg').reduce((sum, one) => sum + one.count, 0)
  const [tx, ty] = body.top
  if (!taken && guns >= 3 && way !== 'truck') parts.push(...part('roof machine gun', [...line(`M${tx} ${ty + 2}V${ty - 3}`, 2.4), ...put(mounted({ kind: 'hmg', size: 1, count: 1 }), tx - 3, ty - 4)]))
  if (/passengers/.test(words) && way !== 'truck' && way !== 'boat') {
    const heads = way === 'half-track' ? 3 : 2
    const [rx, ry] = body.rear
    const [sx, sy] = body.side
    if (way === 'half-track' || way === 'jeep' || way === 'tank') parts.push(...part('passengers', Array.from({ length: heads }, (_, i) => head(rx + 3 + i * 8, ry - 3, style, 0.55)).flat()))
    else parts.push(...part('door', cut(`M${sx - 5} ${sy + 5}V${sy - 3}H${sx + 3}V${sy + 5}`, 2)))
  }
  if (/armou?red skirts|tough side|schürzen/.test(words) && way === 'tank') parts.push(...part('skirts', [...block(-22, 3, 36, 7), ...cut('M-10 3V10M2 3V10', 2)]))
  if (/reinforced front|heavy front|tough front/.test(words)) parts.push(...part('front plate', fill(corners([body.front - 6, -2], [body.front - 1, -2], [body.front + 2, 6], [body.front - 3, 6]))))
  if (/slow/.test(words)) parts.push(...part('exhaust', line(`M${body.rear[0] - 3} 2V-6`, 2.6)))
  return parts
}

// -- men -----------------------------------------------------------------------------------------------

const HEAVY = /mortar|machine ?gun|mmg|hmg|howitzer|rocket|projekt|autocannon|anti-?tank gun|\bgun\b/i

function isCrewed({ facts, words }: Reading): boolean {
  if (/war ?dog/.test(words)) return false
  if (facts.kind === 'support' || facts.kind === 'artillery') return true
  return (facts.kind === 'team' || (facts.kind === 'infantry' && facts.models <= 3)) && HEAVY.test(facts.name) && !/officer|observer|bazooka|panzerschreck|piat/i.test(facts.name)
}

function packOf({ words }: Reading, weapons: readonly Held[]): string {
  if (/flying|\bjump\b/.test(words)) return 'jump'
  if (weapons.slice(0, 2).some((one) => one.kind === 'flame')) return 'tanks'
  if (/airborne|fallschirm|paratroop|teishin|folgore/.test(words)) return 'chute'
  return /observer|command squad|air traffic|designator/.test(words) ? 'radio' : ''
}

function hatOf({ words, facts, style }: Reading): string {
  const alone = facts.kind === 'hero' || facts.kind === 'character' || facts.models <= 3
  if (/inexperienced|conscript|militia|green|volkssturm|partisan/.test(words) && facts.kind !== 'hero') return 'soft'
  if (/commando|paratroop|airborne/.test(words) && style === 'round') return 'beret'
  if (/camouflage/.test(words)) return 'hood'
  if (/pilot|\bace\b/.test(words)) return 'pilot'
  if (/commissar|political/.test(words)) return 'fur'
  return alone && /officer|general|command|captain|colonel|leader/.test(words) ? 'cap' : 'helmet'
}

const TAGS: [RegExp, string][] = [
  [/medic/, 'medic'],
  [/mechanic/, 'wrench'],
  [/air observer/, 'radar'],
  [/artillery observer|forward.*observer|spotter|designator/, 'observer'],
  [/command squad|senior officer/, 'command'],
  [/scout|recce/, 'scout'],
  [/airborne|fallschirm|paratroop|teishin|folgore/, 'airborne'],
  [/engineer|pioneer/, 'wrench'],
  [/marine|naval|snlf|san marco|decima/, 'wave'],
  [/alpini|mountain|gebirg|\bski\b|sissi|jaeger|jäger/, 'peak'],
  [/guards?\b|grenadier section|shock|fanatics|bersaglieri|veteran|gurkha/, 'elite']
]

const BEAST: [RegExp, string][] = [
  [/zombie|undead|totenkorps|animated corpse/, 'zombie'],
  [/gorilla|\bape|ursus|bear/, 'ape'],
  [/war ?dog|hound/, 'dog'],
  [/wulf|wolf|tooth and claw|hyane/, 'wolf'],
  [/mi-go|mythos creature/, 'winged']
]

const first = (rules: readonly [RegExp, string][], words: string): string => rules.find(([pattern]) => pattern.test(words))?.[1] ?? ''
const buildOf = (level: number): Build => Math.min(4, Math.max(1, level)) as Build

/** A kneeling gunner beside the piece. */
function crewed(reading: Reading): Part[] {
  const { facts, words, style, level } = reading
  const heavy = facts.weapons.filter((name) => !/rifle(?!.*recoilless)|submachine|smg|shotgun|pistol|dual machineguns/i.test(name))
  const byName = systemsOf([facts.name])[0]
  const gun = systemsOf(heavy.length ? heavy : facts.weapons)[0] ?? byName ?? { kind: 'hmg', size: 1, count: 1 }
  const calibre = calibreOf(facts.name)
  const size = calibre >= 0 && !['mg', 'hmg'].includes(gun.kind) ? calibre : byName?.kind === gun.kind ? byName.size : gun.size
  const piece: System = { ...gun, size }
  const gunner = [...(packOf(reading, []) === 'chute' ? fill('M-15 -18H-6V-5H-15z') : []), ...kneeling(buildOf(level), style)]
  const parts = part('gunner', put(gunner, -22, 20, 0, 1.08))
  if (piece.kind === 'mortar') {
    const size = piece.size < 3 ? 0.72 : piece.size === 3 ? 0.92 : 1.12
    const tube = put([...fill('M-2 -3.6H27V3.6H-2z'), ...hole('M24.5 -2.2H27.5V2.2H24.5z'), ...cut('M8 -4V4', 1.3)], -4, 16, -58)
    parts.push(...part(named(piece), put([...line('M6 0L-4 20M6 0L16 20', 2.6), ...fill('M-10 20L-6 16H1L3 20z'), ...tube], 9, 20 - 20 * size, 0, size)))
  } else if (piece.kind === 'mg' || piece.kind === 'hmg') {
    const heavyGun = piece.kind === 'hmg'
    const weapon = [...fill('M-10 -4H8V4H-10z'), ...line('M8 0H26', heavyGun ? 3 : 2.4, true), ...(heavyGun ? [...fill('M8 -7H10.5V6H8z')] : []), ...fill('M-2 3H6V9H-2z'), ...(piece.count > 1 ? line('M8 -4H24', 2.2, true) : [])]
    parts.push(...part('tripod', line('M8 6L-1 20M8 6L17 20M8 6L9 20', 2.6)), ...part(named(piece), put(weapon, 6, 2)))
  } else {
    const shield = piece.kind === 'gun' || piece.kind === 'flak' || /gun shield/.test(words)
    const r = piece.size >= 4 || piece.kind === 'howitzer' ? 9.4 : 8
    const carriageMarks = [...(shield ? line('M2 -14L6 7', 4.2, true) : fill('M-2 -5H7V6H-2z')), ...disc(4, 20 - r, r), ...eye(4, 20 - r, r - 3), ...line(`M4 ${22 - 2 * r}V18M${6 - r} ${20 - r}H${2 + r}`, 1.6)]
    parts.push(...part('trail', line('M2 6L-20 18', 3.6)), ...part(named(piece), put(mounted(piece, 28), 5, -3)), ...part('carriage', carriageMarks))
  }
  const tag = first(TAGS, words)
  return [...parts, ...(tag ? part(`badge ${tag}`, put(BADGES[tag]!(), -26, -19)) : [])]
}

const GRIPS: Record<Build, readonly [number, number]> = { 1: [5, -21], 2: [6, -21], 3: [10, -20], 4: [14, -21] }

function men(reading: Reading): Part[] {
  const { facts, words, style, level, small } = reading
  const hero = facts.kind === 'hero' || facts.kind === 'character'
  const build = buildOf(level)
  const beast = first(BEAST, words)
  const weapons = heldOf(facts.weapons)
  const unarmed = beast && (beast === 'wolf' || !weapons.length)
  const lead: Held | undefined = unarmed ? undefined : (weapons[0] ?? { kind: 'rifle', count: 1 })
  const [, second, third] = unarmed ? [] : weapons
  const [hat, pack, tag] = [hatOf(reading), packOf(reading, weapons), first(TAGS, words)]
  const sign = (x: number, y: number): Part[] => (tag ? part(`badge ${tag}`, put(BADGES[tag]!(), x, y)) : [])
  if (beast === 'winged') return [...part('winged', put(BEASTS['winged']!(style), 0, 20, 0, hero ? 1.1 : 1)), ...sign(-28, 12)]
  if (beast === 'wolf' && !hero) return [...part('wolves', [...put(BEASTS['wolf']!(style), -14, 20, 0, 0.9), ...put(BEASTS['wolf']!(style), 10, 20, 0, 1.15)]), ...sign(26, -20)]
  if (beast === 'dog') return [...part('handler', put(man(build, style, hat, pack), -13, 20, 0, 0.95)), ...part(`hand ${lead?.kind}`, lead ? put(held(lead), -9, -1, -30) : []), ...part('dog', put(BEASTS['dog']!(style), 15, 20, 0, 1.05)), ...sign(26, -20)]
  const body = beast === 'zombie' || beast === 'ape' ? BEASTS[beast]!(style) : null
  const grip = beast === 'zombie' ? ([17, -22] as const) : beast === 'ape' ? ([9, -16] as const) : GRIPS[build]
  const lean = ['bazooka', 'rockets', 'faust'].includes(lead?.kind ?? '') ? -11 : ['sniper', 'anti-tank'].includes(lead?.kind ?? '') ? -4 : hero ? -14 : -17
  const figure = (weapon: Held | undefined, back: string): Mark[] => {
    const bulky = ['fist', 'claw', 'saw', 'drill'].includes(weapon?.kind ?? '')
    const long = ['sniper', 'anti-tank', 'polearm', 'laser', 'tesla'].includes(weapon?.kind ?? '')
    const size = (bulky || body ? 1 : long ? 1.12 : 1.22) * (small ? 1 : bulky ? 1.06 : 0.88)
    const hands = body ? [] : build < 3 ? fill(corners([grip[0] - 4, grip[1] - 3], [grip[0] + 4, grip[1] - 1], [grip[0] + 3, grip[1] + 4], [grip[0] - 5, grip[1] + 2])) : disc(grip[0] - 1, grip[1] + 1, 4)
    return [...(body ?? man(build, style, hat, back, hero && (hat === 'cap' || hat === 'fur'))), ...(weapon ? put(held(weapon), grip[0], grip[1], lean, size) : []), ...hands]
  }
  const named = `${hero ? 'hero' : 'man'} ${build} ${hat}${pack ? ` ${pack}` : ''}${lead ? ` ${lead.kind}` : ''}`
  if (hero) {
    const back = pack || (hat === 'cap' ? 'cape' : '')
    const slung = second && second.kind !== 'rifle' ? part(`slung ${second.kind}`, put(held(second), -14, 4, -118, 0.85)) : []
    const stars = tag ? [...part(`badge ${tag}`, put(BADGES[tag]!(), -26, -20)), ...part('star', star(-26, 12, 5.4))] : part('star', star(-26, -20, 6.4))
    return [...slung, ...part(named, put(figure(lead, back), -5, 20, 0, 1.06)), ...stars]
  }
  const raised = (parts: Part[], feet: readonly number[]): Part[] =>
    pack === 'jump' ? [...parts.map((one) => ({ ...one, marks: put(one.marks, 0, -6) })), ...part('jets', feet.flatMap((x) => fill(`M${x - 3.5} 13Q${x - 3} 18 ${x} 22Q${x + 3} 18 ${x + 3.5} 13z`)))] : parts
  if (facts.models <= 2) {
    const mate = [...(second ? put(held(second), -23, -1, -100, 0.8) : []), ...put(man(build, style, hat === 'cap' ? 'helmet' : hat, pack === 'radio' ? pack : ''), -19, 20, 0, build < 4 ? 0.9 : 0.8)]
    const pair = facts.models === 1 ? [] : part(`mate${second ? ` ${second.kind}` : ''}`, mate)
    return raised([...pair, ...part(named, put(figure(lead, pack === 'radio' && pair.length ? '' : pack), build < 3 ? -5 : -3, 20, 0, build < 4 ? 1 : 0.92)), ...sign(26, -20)], pair.length ? [-19, -5] : [-5])
  }
  const [step, size, start, ranks] = body ? (beast === 'zombie' ? [9, 1.04, -5, 2] : [7, 1, 1, 2]) : ([[9, 1, -8, 2], [10, 1, -8, 2], [8.5, 0.98, -2, 2], [12, 0.98, -3, 1]] as const)[build - 1]!
  const x = start + (!second || body ? (build < 3 && !body ? 4 : 1) : 0)
  const parts: Part[] = []
  for (let i = Math.min(ranks, facts.models - 1); i > 0; i -= 1) parts.push(...part('rear rank', put(body ?? echo(build, style, hat === 'cap' ? 'helmet' : hat), x - i * step, 20, 0, size * (1 - 0.06 * i))))
  if (pack === 'radio') parts.unshift(...part('aerial', line(`M${x - 2 * step - 3} 0V-28`, 2)))
  const light = build < 3 && !body
  if (second && light && !small) parts.push(...part(`kneeling ${second.kind}`, [...put(kneeling(build, style, hat === 'cap' ? 'helmet' : hat), x + 19, 20, 0, 0.7), ...put(held(second), x + 22, 11, -3, 0.72)]))
  parts.push(...part(named, put(figure(lead, pack === 'radio' ? '' : pack), x, 20, 0, size)))
  // On small counters the second weapon stands alone below the first, larger than a kneeling man could hold it.
  if (second && small) parts.push(...part(`second ${second.kind}`, put(held(second), x + (light ? 17 : grip[0] * 0.9 + 4), 13.5, 0, 0.86)))
  else if (second && !light) parts.push(...part(`second ${second.kind}`, [...put(held(second), x + grip[0] * 0.9, 11, 12, 0.74), ...(body ? [] : disc(x + grip[0] * 0.9 - 2, 11.5, 3))]))
  if (third && !small && light && second) parts.push(...part(`third ${third.kind}`, put(held(third), x + 22, -10, 0, 0.5)))
  return raised([...parts, ...sign(26, -20)], Array.from({ length: ranks + 1 }, (_, i) => x - i * step))
}

/** How much larger the whole is drawn on small counters, and where its middle goes. */
export function enlargement(parts: readonly Part[]): { size: number; x: number } {
  const first = parts.find((one) => /^(tank|walker|helicopter|bunker|man|rear rank|mate)/.test(one.name))?.name ?? ''
  if (/^(bunker|helicopter|tank 4|walker [34])/.test(first)) return { size: 1.04, x: 0 }
  if (/^(man|rear rank|mate)/.test(first)) return { size: 1.14, x: -2.5 }
  return { size: /^walker/.test(first) ? 1.2 : 1.12, x: 0 }
}
