// How a battle ended, in a headline and a reason: who won by name, and why, without the colours and words of the rules' own report.

import type { Result } from './api-types'

export interface Ending {
  title: string
  why: string
}

/** The points of both sides in the order a winner would tell them. */
const score = (one: string, other: string, winner: number | null): string => {
  const [high, low] = winner === 1 ? [other, one] : [one, other]
  return `${high} ${high === '1' ? 'point' : 'points'} to ${low}`
}

function reasonOf(reason: string, winner: number | null, names: readonly string[]): string {
  const loser = winner === null ? '' : (names[1 - winner] ?? '')
  const counted = /^(\d+) points? to (\d+), (?:a draw|\w+ wins)$/.exec(reason)
  if (counted) return score(counted[1]!, counted[2]!, winner)
  const points = /^.+ wins with (\d+) points? to (\d+)$/.exec(reason)
  if (points) return `${points[1]} ${points[1] === '1' ? 'point' : 'points'} to ${points[2]}`
  const drawn = /^a draw at (\d+) points? each$/.exec(reason)
  if (drawn) return `${drawn[1]} ${drawn[1] === '1' ? 'point' : 'points'} each`
  return reason.replace(/^the enemy has no units left$/, `${loser} has no units left`)
}

/** The end of a battle for whoever looks: `you` is the side he plays, or null. */
export function endingOf(result: Result | null | undefined, names: readonly string[], you: number | null = null): Ending {
  if (!result) return { title: 'The battle is over', why: '' }
  const { winner, reason } = result
  const why = reasonOf(reason, winner, names)
  if (winner === null) return { title: 'A draw', why: /^(a )?draw/i.test(why) ? '' : why }
  return { title: you === winner ? 'You win' : `${names[winner]} wins`, why }
}

/** The same in one line. */
export function endingLine(result: Result | null | undefined, names: readonly string[]): string {
  const { title, why } = endingOf(result, names)
  return why ? `${title}: ${why}` : title
}
