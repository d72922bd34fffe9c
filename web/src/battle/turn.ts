// Where in the turn we are, from what the report and the view tell of any game.

import type { LogLine, View } from '../lib/types'

export interface DrawnDie {
  side: number
  order: string
}

/** Dice drawn from a cup since the turn began, each with the order it became. */
export function drawnThisTurn(log: readonly LogLine[]): DrawnDie[] {
  let first = log.length
  while (first > 0 && log[first - 1]!.kind !== 'TurnBegan') first -= 1
  const drawn: DrawnDie[] = []
  for (const line of log.slice(first)) {
    const { side, order } = line.data as { side?: number; order?: string }
    if (Array.isArray(line.data['cup']) && typeof side === 'number') drawn.push({ side, order: '' })
    else if (typeof order === 'string' && drawn.length && !drawn[drawn.length - 1]!.order) drawn[drawn.length - 1]!.order = order
  }
  return drawn
}

/** What a player is called; whoever gave no name is not called by a colour that may not be his. */
export const playerName = (name: string | undefined, number: number): string => (name && !/^(blue|red)$/i.test(name) ? name : `Player ${number + 1}`)

/** The part of the turn that goes on, and what is left in the pools, in a few words. */
export function inWords(view: View): string {
  const now = view.steps?.find((step) => step.now)
  const pool = view.pools?.find((one) => one.left.some((left) => left > 0))
  return now ? `${now.name}${pool ? ` ${pool.left.join(':')}` : ''}` : ''
}
