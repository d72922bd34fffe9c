// What every shape of question is given: the decision, the answer in the making, and how to answer.

import type { Draft } from '../../lib/draft.svelte'
import type { Answer, Decision, Option, OptionsOdds, Preview, Sights, Spot, UnitView, View } from '../../lib/types'

export interface AskProps {
  decision: Decision
  draft: Draft
  view: View
  units: ReadonlyMap<string, UnitView>
  busy: boolean
  preview: Preview | null
  odds: OptionsOdds | null
  sight: Sights | null
  spots: Spot[]
  onpoint: (option: Option | null) => void
  onchoose: (answer: Answer) => void
  onrule: (rule: string) => void
  /** Take all of the options in the order in which they stand. */
  onorder: () => void
}

export const cap = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export { inShort } from '../../lib/choices'
