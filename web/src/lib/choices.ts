// Options in the order a player wants them: what is rarely meant stands last, and is never the main choice.

import { same } from './draft.svelte'
import { percent } from './numbers'
import type { Decision, OddsFacts, Option, OptionsOdds } from './types'

export const isCareless = (option: Option): boolean => option.about.careless === true || option.about.act === 'pass'

/** Does it leave something unspent that the others use? An attack alone, where there are two actions. */
const sparing = (option: Option, most: number): boolean => option.about.cost !== undefined && option.about.cost !== null && option.about.cost < most

/** The options of a decision: first those that use what there is, then those that use less, last those that do nothing. */
export function ordered(decision: Decision): Option[] {
  const options = decision.options ?? []
  const meant = options.filter((one) => !isCareless(one))
  const known = meant.every((one) => typeof one.about.cost === 'number')
  const most = known ? Math.max(0, ...meant.map((one) => one.about.cost ?? 0)) : 0
  return [...meant.filter((one) => !sparing(one, most)), ...meant.filter((one) => sparing(one, most)), ...options.filter(isCareless)]
}

const MANY = 9

/** A long list in two: what any unit could do, and what skills add, which is looked at on demand. */
export function parted(options: readonly Option[]): { plain: Option[]; skilled: Option[] } {
  const plain = options.filter((one) => !one.about.skills?.length)
  if (options.length <= MANY || plain.length < 3) return { plain: [...options], skilled: [] }
  return { plain, skilled: options.filter((one) => one.about.skills?.length) }
}

/** The odds of one option, where it leads to dice; the best of them where it strikes several. */
export function oddsOf(odds: OptionsOdds | null, option: Option): OddsFacts | undefined {
  const struck = odds?.targets.filter((one) => same(one.answer, option.answer)) ?? []
  return struck.sort((one, other) => worth(other.odds) - worth(one.odds))[0]?.odds
}

const lostOf = (odds: OddsFacts): string => (odds.expected['losses'] ?? 0).toFixed(1)
/** What an attack comes to, in a few words. A unit of which only some are in reach is not destroyed by it. */
export const inBrief = (odds: OddsFacts): string =>
  odds.strength ? `${lostOf(odds)} lost, ${odds.capacity} of ${odds.strength} in reach` : `${percent(odds.destroyed)} destroyed, ${lostOf(odds)} lost`

/** Odds in a line: "25 % destroyed, 0.6 of 2 lost, 89 % pinned". */
export function inShort(odds: OddsFacts): string {
  const pins = odds.chances?.['pins']
  const fate = odds.strength ? `${lostOf(odds)} lost, ${odds.capacity} of ${odds.strength} in reach` : `${percent(odds.destroyed)} destroyed, ${lostOf(odds)} of ${odds.capacity} lost`
  return `${fate}${pins ? `, ${percent(pins)} pinned` : ''}`.replace(/(\d) (%|of) (?=\S)/g, '$1\u00a0$2\u00a0').replace(/(\d) (lost)/g, '$1\u00a0$2')
}

/** How much an attack does: the share of the target that falls, and a little for what shakes it. */
export const worth = (odds: OddsFacts): number => odds.destroyed + (odds.expected['losses'] ?? 0) / Math.max(1, odds.strength ?? odds.capacity) + 0.05 * (odds.expected['pins'] ?? 0)
