// A review in numbers and words: what the curve, its list and the result sheet share. No page, no server.

import { endingLine } from '../lib/endings'
import { percent } from '../lib/numbers'
import type { JudgedActivation, Review, ReviewMoment, Story } from '../lib/api-types'

/** The chance of a side, where the curve tells the first side's. */
export const chanceOf = (moment: ReviewMoment, side: number): number => (side === 0 ? moment.chance : 1 - moment.chance)

export interface Turning {
  moment: ReviewMoment
  number: number
  /** What the first side won or lost by it. */
  change: number
  /** How much of that was dice, for the first side; null as long as nobody knows. */
  luck: number | null
}

/** The activations after which the battle stood otherwise, in their order. */
export function turnings(review: Review): Turning[] {
  const judged = new Map(review.activations.map((one) => [one.moment, one]))
  return review.moments.flatMap((moment, number) => {
    const next = review.moments[number + 1]
    if (!moment.turning || !next) return []
    const luck = judged.get(number)?.luck
    const sign = moment.player === 0 ? 1 : -1
    return [{ moment, number, change: next.chance - moment.chance, luck: luck === undefined ? null : sign * luck }]
  })
}

export interface Row {
  moment: ReviewMoment
  judged: JudgedActivation
  grade: 'best' | 'good' | 'inaccurate' | 'mistake'
}

/** Above so much given up an activation is called inaccurate, or a mistake. */
export const INACCURATE = 0.03
export const MISTAKE = 0.1

export function gradeOf(judged: JudgedActivation): Row['grade'] {
  if (judged.gave_up >= MISTAKE) return 'mistake'
  if (judged.gave_up >= INACCURATE) return 'inaccurate'
  return judged.gave_up > 0 ? 'good' : 'best'
}

export const GRADES: Record<Row['grade'], string> = { best: 'best found', good: 'good', inaccurate: 'inaccurate', mistake: 'a mistake' }

/** The judged activations of a side, in their order. */
export function rows(review: Review, side: number): Row[] {
  return review.activations.flatMap((judged) => {
    const moment = review.moments[judged.moment]
    return moment?.player === side ? [{ moment, judged, grade: gradeOf(judged) }] : []
  })
}

export interface Sums {
  count: number
  gaveUp: number
  luck: number
  mistakes: number
}

export function sums(review: Review, side: number): Sums {
  const own = rows(review, side)
  return {
    count: own.length,
    gaveUp: own.reduce((sum, row) => sum + row.judged.gave_up, 0),
    luck: own.reduce((sum, row) => sum + row.judged.luck, 0),
    mistakes: own.filter((row) => row.grade === 'mistake').length
  }
}

/** The moment that is nearest to a number of choices. */
export function nearest(moments: readonly ReviewMoment[], choice: number): number {
  let best = 0
  moments.forEach((moment, number) => {
    if (Math.abs(moment.choice - choice) < Math.abs(moments[best]!.choice - choice)) best = number
  })
  return best
}

/** The curve as a path, from the left edge on; before the first activation nothing changes. */
export function curve(moments: readonly ReviewMoment[], x: (choice: number) => number, y: (chance: number) => number): string {
  const first = moments[0]
  const start = first && first.choice > 0 ? [{ ...first, choice: 0 }] : []
  return [...start, ...moments].map((moment, n) => `${n ? 'L' : 'M'}${x(moment.choice).toFixed(1)} ${y(moment.chance).toFixed(1)}`).join('')
}

/** A chance in words people use: 1 throw in 40. */
export function oneIn(chance: number): string {
  if (chance > 0.34) return `${percent(chance)} of throws`
  return chance > 0 ? `1 throw in ${Math.round(1 / chance).toLocaleString('en')}` : 'no throw at all'
}

export const signed = (change: number): string => `${change >= 0 ? '+' : '−'}${Math.abs(Math.round(change * 100))}`

/** How a battle ended, in a sentence that names the winner. */
export const ending = (story: Pick<Story, 'result' | 'seats'>): string =>
  story.result ? endingLine(story.result, story.seats.map((seat) => seat.side || seat.name)) : ''
