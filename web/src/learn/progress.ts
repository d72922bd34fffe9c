// How far a lesson has come: which steps the log shows done, and what to tell now.

import type { Lesson, LessonStep, StepDone } from '../lib/api-types'
import type { LogLine, Snapshot } from '../lib/types'

function isDone(wanted: StepDone, line: LogLine, mine: (line: LogLine) => boolean): boolean {
  return (
    line.kind === wanted.event &&
    line.rule.startsWith(wanted.rule) &&
    Object.entries(wanted.about).every(([name, value]) => line.data[name] === value) &&
    (wanted.side === 'any' || mine(line))
  )
}

/** What the coach says: a step to learn, a step known already (its hint again), an aside, or what comes next while others decide. */
export interface Advice {
  kind: 'step' | 'known' | 'aside' | 'next'
  title: string
  text: string
  hint: string
  rule: string
}

export interface Progress {
  done: Set<string>
  /** The step that is being learnt: the one of the decision at hand, else the first one open. */
  now: LessonStep
  advice: Advice
}

export function progress(game: Snapshot, lesson: Lesson): Progress {
  const sides = new Map(game.view.units.map((unit) => [unit.id, unit.side]))
  const you = game.you ?? 0
  const mine = (line: LogLine): boolean => {
    const data = line.data as { unit?: string; player?: number; attacker?: string }
    return (sides.get(data.unit ?? data.attacker ?? '') ?? data.player) === you
  }
  const done = new Set(lesson.steps.filter((step) => game.log.some((line) => isDone(step.done, line, mine))).map((step) => step.id))
  const key = game.decision?.mine ? game.decision.key : ''
  const asked = lesson.steps.find((step) => step.at.includes(key))
  const open = lesson.steps.find((step) => !done.has(step.id)) ?? lesson.steps.at(-1)!
  const now = asked && !done.has(asked.id) ? asked : open
  const lost = game.view.units.filter((unit) => unit.side === you && OUT.includes(unit.status)).map((unit) => unit.name)
  const standing = (hint: string): string => (lost.some((name) => hint.includes(name)) ? '' : hint)
  return { done, now, advice: adviceAt(lesson, key, asked, now, standing) }
}

/** Units in such a state are out of the battle. */
const OUT = ['lost', 'gone']

/** The coach speaks of what is being decided; of what comes next only where there is nothing to say about that. */
function adviceAt(lesson: Lesson, key: string, asked: LessonStep | undefined, now: LessonStep, standing: (hint: string) => string): Advice {
  const { title, text, rule } = now
  const hint = standing(now.hint)
  if (now === asked) return { kind: 'step', title, text, hint, rule }
  if (asked) return { kind: 'known', title: asked.title, text: standing(asked.hint) || asked.text, hint: '', rule: asked.rule }
  const aside = lesson.asides.find((one) => one.at.includes(key))
  if (aside) return { kind: 'aside', title: aside.title, text: aside.text, hint: '', rule: '' }
  return { kind: 'next', title, text, hint, rule }
}
