// Battles with a coach: what there is to learn, and how it is begun. What a lesson says and waits for comes from the server, with the
// game it belongs to; progress.ts reads how far one has come.

import type { Lesson } from '../lib/api-types'
import { begin, keepSeats } from '../lib/begin'
import type { Snapshot } from '../lib/types'
import { once } from '../rules/library'

export type { Lesson } from '../lib/api-types'

const PREFIX = 'lesson-'

export const lessons = (): Promise<Lesson[]> => once<Lesson[]>('/lessons')

/** The lesson a battle belongs to, if there still is one. */
export const lessonOf = async (game: Snapshot): Promise<Lesson | undefined> =>
  (await lessons()).find((one) => one.ruleset === game.ruleset && PREFIX + one.id === game.scenario.id)

/** Begin the battle of a lesson; the address of its table comes back. */
export async function start(lesson: Lesson): Promise<string> {
  const begun = await begin({
    ruleset: lesson.ruleset,
    scenario: `lesson:${lesson.id}`,
    seats: [{ kind: 'human', name: 'You' }, { kind: 'computer', level: lesson.opponent }]
  })
  keepSeats(begun, begun.table.token, lesson.name)
  return begun.table.link
}
