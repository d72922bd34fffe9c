// What a silhouette is composed from: the facts of a card, whatever game it comes from, and which weapons matter.

import type { Style } from './ink'
import type { Held, Mounted, System } from './weapons'

export interface Facts {
  name: string
  kind: string
  /** Bloc or nation. */
  side: string
  /** S, V or A with a class, or the class of a vehicle in words. */
  armour: string
  locomotion: string
  skills: readonly string[]
  weapons: readonly string[]
  models: number
}

interface Described {
  name: string
  kind: string
  side?: string | number
  armour?: string | number | undefined
  armour_type?: string | undefined
  locomotion?: string | undefined
  skills?: readonly (string | { name: string })[] | undefined
  skill_names?: readonly string[] | undefined
  weapons?: readonly (string | { name: string; default?: boolean | undefined })[] | undefined
  carried?: readonly string[] | undefined
  models?: unknown
  models_max?: number | undefined
  soldiers?: readonly unknown[] | undefined
  vehicles?: readonly Record<string, unknown>[] | undefined
  parts?: readonly { role: string; skills: readonly string[]; weapons: readonly { name: string }[] }[] | undefined
}

const GUNLESS = /^(vehicle|transport|walker)$/

/** The facts of a card in short or in full, or of a unit on the table; `bloc` where the unit does not say its own. */
export function factsOf(unit: Described, bloc = ''): Facts {
  const main = unit.parts?.find((part) => part.role !== 'joined' && part.role !== 'pilot') ?? unit.parts?.[0]
  const hull = unit.vehicles?.[0]
  const named = (unit.weapons ?? []).map((one) => (typeof one === 'string' ? { name: one, default: true } : one))
  const usual = named.filter((one) => one.default !== false)
  const carried = unit.carried ?? usual.map((one) => one.name)
  const spare = carried.length || GUNLESS.test(unit.kind) ? [] : named.map((one) => one.name)
  return {
    name: unit.name.replace(/ \+ .*$/, '').replace(/ \d+$/, ''),
    kind: unit.kind,
    side: typeof unit.side === 'string' ? unit.side : bloc,
    armour: String(hull?.['vehicle_class'] ?? `${unit.armour_type ?? ''}${unit.armour ?? ''}`),
    locomotion: String(unit.locomotion || hull?.['mode'] || ''),
    skills: unit.skill_names ?? main?.skills ?? (unit.skills ?? []).map((one) => (typeof one === 'string' ? one : one.name)),
    weapons: main ? main.weapons.map((one) => one.name) : [...carried, ...spare],
    models: typeof unit.models === 'number' ? unit.models : (unit.models_max ?? unit.soldiers?.length ?? 5)
  }
}

const STYLES: Record<string, Style> = {
  axis: 'faceted', germany: 'faceted', finland: 'faceted', italy: 'faceted', ssu: 'stepped', 'soviet union': 'stepped', japan: 'stepped', mythos: 'stepped'
}
const LENT: [RegExp, Style][] = [[/^\((usa|british|allied)/i, 'round'], [/^(allied|british)\b/i, 'round'], [/^\(german|^german\b/i, 'faceted'], [/^\(soviet/i, 'stepped']]
/** Rounded, faceted or stepped, by bloc: hull, turret, knee and helmet. What is lent keeps the look of its maker. */
export const styleOf = (side: string, name = ''): Style => LENT.find(([pattern]) => pattern.test(name))?.[1] ?? STYLES[side.toLowerCase()] ?? 'round'

/** How many stand on the picture: officers, observers and teams are few, whatever company they may take along. */
export function headcount(facts: Facts): number {
  if (/^(headquarters|character|hero)$/.test(facts.kind) || /^(officer|medic|.*observer|commissar)\b/i.test(facts.name)) return Math.min(facts.models, /medic|hero|character/i.test(`${facts.kind} ${facts.name}`) ? 1 : 2)
  return facts.kind === 'team' ? 2 : facts.models
}

/** Calibre by the millimetres or inches in a name; -1 where it says none. */
export function calibreOf(name: string): number {
  const mm = Number(/(\d+(?:\.\d+)?)\s?mm/i.exec(name)?.[1] ?? 0) || Number(/(\d+)[- ]?(?:inch|")/i.exec(name)?.[1] ?? 0) * 25
  const pounds = Number(/(\d+)[- ]?(?:pdr|pounder)/i.exec(name)?.[1] ?? 0)
  if (mm) return mm <= 47 ? 2 : mm < 76 ? 3 : mm <= 105 ? 4 : 5
  return pounds ? (pounds <= 3 ? 2 : pounds <= 6 ? 3 : pounds <= 17 ? 4 : 5) : -1
}

const CLASSES: [RegExp, string][] = [
  [/super-heavy/, 'V7'],
  [/heavy (tank|walker)/, 'V6'],
  [/medium tank/, 'V5'],
  [/medium walker/, 'V4'],
  [/light (tank|walker)/, 'V3'],
  [/armou?red|carrier|scout/, 'V2'],
  [/soft/, 'V1']
]
/** The class of armour as a letter and a number; men by their rules where a card gives none. */
export function armourOf(facts: Facts): string {
  if (/^[SVA]\d/.test(facts.armour)) return facts.armour
  const words = facts.armour.toLowerCase()
  if (words) return CLASSES.find(([pattern]) => pattern.test(words))?.[1] ?? 'V4'
  const has = (skill: string): boolean => facts.skills.some((one) => one.startsWith(skill))
  return has('Large Infantry') ? 'S3' : has('Tough') || has('Resilient') || has('Fanatics') ? 'S2' : 'S1'
}

const NUMBERS: [RegExp, number][] = [[/sextuple/, 6], [/quad/, 4], [/triple/, 3], [/dual|twin|paired/, 2]]
const countIn = (name: string): number => Math.min(8, NUMBERS.reduce((count, [word, times]) => (word.test(name) ? count * times : count), 1))

/** Weapons of hulls and carriages: the first pattern that fits says the kind, its calibre, and how much it matters. */
const MOUNTED: [RegExp, Mounted, number, number][] = [
  [/schwerefeld|gravit/, 'gravity', 3, 90],
  [/tesla/, 'tesla', 3, 90],
  [/laser/, 'laser', 3, 88],
  [/phaser/, 'phaser', 3, 88],
  [/sonic|compression|rift|psychic|radiation/, 'sonic', 3, 80],
  [/eldritch/, 'flame', 3, 70],
  [/napalm bomb/, 'napalm', 3, 60],
  [/bomb/, 'bomb', 3, 55],
  [/missile/, 'rocket', 3, 60],
  [/flame|napalm|flamm|torch/, 'flame', 3, 72],
  [/recoilless/, 'recoilless', 3, 76],
  [/petard|heavy mortar|120mm/, 'mortar', 4, 74],
  [/mortar/, 'mortar', 3, 74],
  [/howitzer|long tom|stuk/, 'howitzer', 3, 78],
  [/anti-?aircraft|flak|automatic cannon|polsten|\baa\b/, 'flak', 3, 73],
  [/rocket|rpg|nebel|multiple launcher|katyusha|wurf/, 'rocket', 3, 75],
  [/grenade/, 'grenade', 3, 60],
  [/piat|bazooka|panzerschreck/, 'mortar', 3, 66],
  [/gatling/, 'gatling', 3, 74],
  [/saw|cutter/, 'saw', 3, 62],
  [/claw|pincer|fist|punch|grappl/, 'claw', 3, 58],
  [/drill/, 'drill', 3, 58],
  [/wrench|crane/, 'crane', 3, 50],
  [/super-heavy at/, 'gun', 5, 80],
  [/heavy at|anti-?tank gun|heavy gun|pak/, 'gun', 4, 79],
  [/medium at|medium gun|17-?pdr|m1 gun/, 'gun', 3, 78],
  [/autocannon/, 'autocannon', 2, 65],
  [/heavy machine|hmg|\.50/, 'hmg', 1, 30],
  [/machine|mmg|lmg|mg\b|rifle|pistol/, 'mg', 0, 10],
  [/light at|light gun|\bguns?\b/, 'gun', 2, 70]
]

/** The weapon systems of a vehicle or gun, what matters most first; like weapons are counted together. */
export function systemsOf(names: readonly string[]): System[] {
  const merged = new Map<Mounted, System & { rank: number }>()
  const systems = names.flatMap((name) => {
    const words = name.toLowerCase()
    const rule = MOUNTED.find(([pattern]) => pattern.test(words))
    if (!rule) return []
    const [, kind, usual, rank] = rule
    const size = /super-heavy|assault phaser/.test(words) ? 5 : /heavy/.test(words) && usual < 5 ? Math.max(usual, 4) : /light/.test(words) ? 2 : usual
    const count = countIn(words)
    return [{ kind, size, count, rank: rank + size * 0.1 + count * 0.05 }]
  })
  for (const one of systems.sort((a, b) => b.rank - a.rank)) {
    const known = merged.get(one.kind)
    if (!known) merged.set(one.kind, { ...one })
    else if (['mg', 'hmg', 'gun'].includes(one.kind)) known.count = Math.min(8, known.count + one.count)
  }
  return [...merged.values()].map(({ kind, size, count }) => ({ kind, size, count }))
}

const HELD: [RegExp, string, number][] = [
  [/tesla/, 'tesla', 95],
  [/laser.*pistol/, 'laser pistol', 45],
  [/laser/, 'laser', 92],
  [/phaser/, 'phaser', 90],
  [/schwerefeld|gravit/, 'gravity', 95],
  [/compression|rift|sonic|radiation|beam/, 'gravity', 85],
  [/molotov/, 'molotov', 50],
  [/flame|flamm|blowtorch/, 'flame', 82],
  [/sniper/, 'sniper', 90],
  [/anti-tank rifle|boys/, 'anti-tank', 84],
  [/panzerfaust/, 'faust', 62],
  [/under-barrel/, 'rifle', 5],
  [/rocket punch|glove|fist|punch|knuckle/, 'fist', 55],
  [/bazooka|panzerschreck|rpg|recoilless|piat|shreck/, 'bazooka', 80],
  [/rocket/, 'rockets', 81],
  [/grenade/, 'grenade', 64],
  [/circular|saw|cutter/, 'saw', 66],
  [/drill|jackhammer/, 'drill', 66],
  [/demo|satchel|dynamite|charge/, 'demo', 58],
  [/mine/, 'mine', 63],
  [/guandao|spear|halberd/, 'polearm', 60],
  [/machete|katana|claymore|sword|cleaver|sabre/, 'blade', 57],
  [/knife|knives|dagger/, 'knife', 30],
  [/claw|bite/, 'claw', 50],
  [/wrench|tools/, 'wrench', 54],
  [/crossbow/, 'crossbow', 70],
  [/fungi/, 'fungus', 40],
  [/submachine|smg|thompson/, 'smg', 40],
  [/machine ?gun|mmg|lmg|hmg|\bmg\b|autogun|mg ?4/, 'mg', 60],
  [/shotgun/, 'shotgun', 42],
  [/\bbar\b|automatic rifle/, 'autorifle', 38],
  [/assault rifle/, 'assault', 39],
  [/rifle/, 'rifle', 36],
  [/pistol|revolver/, 'pistol', 20]
]

/** Weapons that men carry, the one that says most first. */
export function heldOf(names: readonly string[]): Held[] {
  const known = new Map<string, { rank: number; count: number }>()
  for (const name of names) {
    const words = name.toLowerCase()
    const rule = HELD.find(([pattern]) => pattern.test(words))
    if (rule && !known.has(rule[1])) known.set(rule[1], { rank: rule[2], count: countIn(words) })
  }
  return [...known].sort(([, a], [, b]) => b.rank - a.rank).map(([kind, { count }]) => ({ kind, count }))
}
