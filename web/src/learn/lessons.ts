// The guided first battle: what to learn, when it comes up, and how one sees that it has been done.

import type { LogLine, Snapshot } from '../lib/types'

export const FIRST_BATTLE = 'first-battle'

export interface Lesson {
  id: string
  title: string
  text: string
  hint: string
  rule: string
  /** Decisions (by key) at which the lesson is told. */
  keys: string[]
  /** Has it been done, as the log tells? */
  done: (told: Told) => boolean
}

export interface Told {
  log: readonly LogLine[]
  mine: (line: LogLine) => boolean
}

const some = (told: Told, test: (line: LogLine) => boolean): boolean => told.log.some(test)
const kind = (name: string, rule = '') => (line: LogLine): boolean => line.kind === name && line.rule.startsWith(rule)

export const LESSONS: Lesson[] = [
  {
    id: 'deploy',
    title: 'Set up',
    text: 'Both sides place their units by turns, each in its own rows. Squads behind the low wall or among the trees are in cover; the walker is tough enough for the road.',
    hint: 'Choose a unit, then a shaded square.',
    rule: 'd47.setup.board',
    keys: ['deploy', 'deploy-unit', 'deploy-place', 'facing'],
    done: (told) => some(told, kind('TurnBegan'))
  },
  {
    id: 'activate',
    title: 'Activate',
    text: 'Sides take turns: one unit of yours, one of theirs, until every unit has acted. Then the next turn begins. A unit that has acted lies darker and tilted.',
    hint: 'Pick the unit that has most to gain by acting first.',
    rule: 'd47.turn.alternate',
    keys: ['activate', 'first', 'pool-order'],
    done: (told) => some(told, (line) => kind('Activated')(line) && told.mine(line))
  },
  {
    id: 'actions',
    title: 'Two actions',
    text: 'A unit has two actions, told before the first is carried out. Move and attack, in either order; a march is both actions spent on moving farther; a sustained attack is both spent on aiming: every die that misses is rolled once more.',
    hint: 'Too far to shoot? March. Well placed already? Sustained attack.',
    rule: 'd47.turn.two_actions',
    keys: ['actions', 'declare-actions'],
    done: (told) => some(told, (line) => kind('ActionsDeclared')(line) && told.mine(line))
  },
  {
    id: 'move',
    title: 'Move into cover',
    text: 'Shaded squares are in reach; the number is what they cost. In the open, a squad saves a hit on ARMY, one die in three. In trees, rubble, or behind a low wall it saves on ARMY or SHIELD, two in three.',
    hint: 'The crossroads in the middle wins the battle, but the walls beside it keep you alive.',
    rule: 'd47.attack.save.infantry_cover',
    keys: ['move', 'march', 'march-first'],
    done: (told) => some(told, (line) => kind('Moved')(line) && told.mine(line))
  },
  {
    id: 'shoot',
    title: 'Shoot',
    text: 'Give every weapon a target. Each shows the exact chance before you commit. Then the dice fall: ARMY is a hit, the target saves what it can, the rest are losses.',
    hint: 'Bazookas and grenades for the walker, rifles and machine guns for squads.',
    rule: 'd47.action.attack',
    keys: ['declare'],
    done: (told) => some(told, (line) => kind('Rolled', 'd47.attack.hit')(line) && told.mine(line))
  },
  {
    id: 'suppress',
    title: 'Suppression',
    text: 'A unit that is hit is under fire, even if every hit was saved. Hit again, it is suppressed: unless it recovers with ARMY on two dice, its first action is lost. Two units firing at one target are worth more than their dice.',
    hint: 'Look for the small flags on the counters: F under fire, S suppressed.',
    rule: 'd47.attack.suppress.under_fire',
    keys: [],
    done: (told) => some(told, kind('TokenGained', 'd47.attack.suppress'))
  },
  {
    id: 'react',
    title: 'React',
    text: 'An enemy that moves within four squares of a unit of yours that has not acted yet can be shot at once: two dice, one ARMY an attack, two a sustained one. But whatever they show, the unit has spent its turn.',
    hint: 'Keep a unit back: the enemy must come to the crossroads.',
    rule: 'd47.reactive.roll',
    keys: ['react'],
    done: (told) => some(told, kind('Reacts'))
  },
  {
    id: 'hold',
    title: 'Win',
    text: 'Whoever stands on the crossroads when the fourth turn ends has its ten points. Destroyed units count for their points as well.',
    hint: 'In the last turn the side that acts last has the last word: save a unit for it.',
    rule: 'd47.victory.vp',
    keys: [],
    done: (told) => some(told, kind('GameEnded'))
  }
]

/** Which lessons are done, and which one to tell now: the one of the pending decision, else the first one open. */
export function progress(game: Snapshot): { done: Set<string>; now: Lesson } {
  const sides = new Map(game.view.units.map((unit) => [unit.id, unit.side]))
  const you = game.you ?? 0
  const mine = (line: LogLine): boolean => {
    const data = line.data as { unit?: string; player?: number; attacker?: string }
    const side = sides.get(data.unit ?? data.attacker ?? '') ?? data.player
    return side === you
  }
  const told = { log: game.log, mine }
  const done = new Set(LESSONS.filter((lesson) => lesson.done(told)).map((lesson) => lesson.id))
  const key = game.decision?.mine ? game.decision.key : ''
  const asked = LESSONS.find((lesson) => lesson.keys.includes(key))
  const open = LESSONS.find((lesson) => !done.has(lesson.id)) ?? LESSONS.at(-1)!
  return { done, now: asked && !done.has(asked.id) ? asked : open }
}

export const BATTLE = {
  ruleset: 'dust1947',
  scenario: {
    id: FIRST_BATTLE,
    name: 'First Battle',
    ruleset: 'dust1947',
    text: 'Two squads and a walker against two squads and a walker, over one crossroads. Hold it when the fourth turn ends.',
    points: 40,
    turns: 4,
    board: {
      size: [9, 7],
      terrain: [
        'road from A4 to I4',
        'road from E1 to E7',
        'low wall along north of C5 to D5',
        'low wall along north of F5 to G5',
        'low wall along south of C3 to D3',
        'low wall along south of F3 to G3',
        'trees at B6, H2, G6, C2',
        'rubble at A3, I5'
      ]
    },
    deploy: [
      { squares: 'A6-I7', facing: 'north' },
      { squares: 'A1-I2', facing: 'south' }
    ],
    objectives: [{ name: 'the crossroads', squares: 'E4', points: 10 }]
  },
  armies: [
    {
      ruleset: 'dust1947',
      name: 'Ranger Patrol',
      bloc: 'Allies',
      points: 40,
      units: [{ card: 'allies-ranger-weapon-squad' }, { card: 'allies-ranger-recon-squad' }, { card: 'allies-pounder' }]
    },
    {
      ruleset: 'dust1947',
      name: 'Grenadier Patrol',
      bloc: 'Axis',
      points: 40,
      units: [{ card: 'axis-sturmgrenadier-recon-squad' }, { card: 'axis-sturmgrenadier-assault-squad' }, { card: 'axis-ludwig' }]
    }
  ],
  seats: [
    { kind: 'human' as const, name: 'You' },
    { kind: 'computer' as const, level: 'regular' }
  ]
}
