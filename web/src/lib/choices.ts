// Options in the order a player wants them: what is rarely meant stands last, and is never the main choice.

import { same } from './draft.svelte'
import type { Decision, OddsFacts, Option, OptionsOdds } from './types'

export const isCareless = (option: Option): boolean => option.about.careless === true || option.about.act === 'pass'

/** The options of a decision, those that do something first. */
export function ordered(decision: Decision): Option[] {
  const options = decision.options ?? []
  return [...options.filter((one) => !isCareless(one)), ...options.filter(isCareless)]
}

/** The odds of one option, where it leads to dice; the best of them where it strikes several. */
export function oddsOf(odds: OptionsOdds | null, option: Option): OddsFacts | undefined {
  const struck = odds?.targets.filter((one) => same(one.answer, option.answer)) ?? []
  return struck.sort((one, other) => worth(other.odds) - worth(one.odds))[0]?.odds
}

/** How much an attack does: the share of the target that falls, and a little for what shakes it. */
export const worth = (odds: OddsFacts): number => odds.destroyed + (odds.expected['losses'] ?? 0) / Math.max(1, odds.capacity) + 0.05 * (odds.expected['pins'] ?? 0)
