// Army lists as files hold them, and what the check tells about one.

import type { ArmyUnit, Army as Listed } from '../lib/api-types'

export type { ArmyReport as Report, ArmyUnit, Fault, Imported } from '../lib/api-types'

/** A list in the builder always has its units, if none. */
export type Army = Listed & { units: ArmyUnit[] }

/** A list without units; `field` is where its game writes the side. */
export function empty(ruleset: string, field: string, side: string, points: number): Army {
  return { ruleset, name: `${side} ${points}`, points, units: [], [field]: side }
}

/** What each unit is called inside the list: its card's id, numbered from the second on. */
export function labels(army: Army): string[] {
  const taken = new Set(army.units.flatMap((unit) => (unit.label ? [unit.label] : [])))
  return army.units.map((unit) => {
    if (unit.label) return unit.label
    let label = unit.card
    for (let n = 2; taken.has(label); n += 1) label = `${unit.card}-${n}`
    taken.add(label)
    return label
  })
}

/** A list without one unit; whoever named it by its place keeps the right name. */
export function without(army: Army, place: number): Army {
  const before = labels(army)
  const units = army.units.filter((_, n) => n !== place)
  const after = labels({ ...army, units })
  const now = new Map(before.filter((_, n) => n !== place).map((label, n) => [label, after[n]]))
  const follow = (label: string | null | undefined): string | undefined => (label == null ? undefined : now.get(label))
  return {
    ...army,
    units: units.map((unit) =>
      tidy({ ...unit, joins: follow(unit.joins), pilots: follow(unit.pilots), mounted_in: follow(unit.mounted_in) } as ArmyUnit)
    )
  }
}

/** Without keys that say nothing. */
export function tidy(unit: ArmyUnit): ArmyUnit {
  return Object.fromEntries(
    Object.entries(unit).filter(
      ([, value]) =>
        value !== undefined && value !== '' && value !== null && value !== false && !(typeof value === 'object' && !Object.keys(value).length)
    )
  ) as unknown as ArmyUnit
}
