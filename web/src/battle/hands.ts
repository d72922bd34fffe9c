// What taps and keys mean, decision shape by decision shape; mouse, touch and keyboard alike.

import type { Tap } from '../board/marks'
import { same, squaresOf, unitsOf, type Draft } from '../lib/draft.svelte'
import { column, spotOf, square } from '../lib/places'
import { ordered } from '../lib/choices'
import { centreOf, suggestions } from '../lib/regions'
import type { Decision, MeasuredView } from '../lib/types'
import { answerFor, wayTo } from '../lib/ways'
import { ground, type Play } from './play.svelte'

// -- taps ---------------------------------------------------------------------------------------------

export function tap(play: Play, at: Tap): void {
  const { decision, draft } = play
  if (!decision || !draft || play.battle.waiting) {
    if (at.unit) play.peek(at.unit)
    return
  }
  play.notice = ''
  if (decision.shape === 'path' || decision.shape === 'place-free') return
  if (decision.shape === 'pick-one' && tapOption(play, decision, draft, at)) return
  if (decision.shape === 'place' && tapSquare(play, decision, draft, at)) return
  if (decision.shape === 'assign' && tapTarget(play, decision, draft, at)) return
  if (at.unit) play.peek(at.unit)
}

function tapOption(play: Play, decision: Decision, draft: Draft, at: Tap): boolean {
  const options = decision.options ?? []
  const byUnit = ordered(decision).find((option) => at.unit && unitsOf(option, decision).includes(at.unit))
  const bySquare = options.filter((option) => squaresOf(option).includes(at.place))
  const next = bySquare.findIndex((option) => draft.pointed && same(option.answer, draft.pointed.answer)) + 1
  const option = byUnit ?? bySquare[next % Math.max(1, bySquare.length)]
  if (!option) return false
  const again = draft.pointed && same(draft.pointed.answer, option.answer)
  if ((byUnit && (!at.touch || again)) || bySquare.length === 1) play.choose(option.answer)
  else play.point(option)
  return true
}

function tapSquare(play: Play, decision: Decision, draft: Draft, at: Tap): boolean {
  const here = (decision.spots ?? []).filter((spot) => ground(spot.label) === at.place)
  if (here.length > 1) {
    draft.spot = null
    play.floors = at.place
    return true
  }
  const spot = here[0]
  if (!spot) {
    if (!at.unit) play.notice = `${at.place} cannot be chosen here.`
    return false
  }
  const again = draft.spot?.spot === spot.spot
  if (spot.facings.length > 1) {
    const facing = Number(play.units.get(decision.unit)?.facing ?? 0)
    if (again && spot.facings.includes(facing)) play.choose([spot.spot, facing])
    else draft.spot = spot
  } else if (!at.touch || again) play.choose([spot.spot, spot.facings[0]!])
  else draft.spot = spot
  return true
}

function tapTarget(play: Play, decision: Decision, draft: Draft, at: Tap): boolean {
  const targets = (decision.items ?? []).flatMap((item) => item.options.flatMap((option) => option.about.targets ?? []))
  if (at.unit && targets.includes(at.unit)) {
    everythingAt(play, draft, at.unit)
    return true
  }
  return play.aimAt(play.measured ? nearestAim(play, at.place) : at.place)
}

const FINGER = 45
/** The spot on the ground, among those that can be aimed at, that is meant by a point of a measured table. */
function nearestAim(play: Play, place: string): string {
  const [x, y] = place.split(',').map(Number) as [number, number]
  const near = [...play.aimable.keys()].flatMap((label) => spotOf(label) ?? []).map((spot) => ({ ...spot, far: Math.hypot(spot.x - x, spot.y - y) }))
  return near.sort((one, other) => one.far - other.far).find((spot) => spot.far < FINGER)?.label ?? ''
}

/** Everything that may be is aimed at a unit, the better round where there are several. */
export function everythingAt(play: Pick<Play, 'odds'>, draft: Draft, unit: string): void {
  const massed = play.odds?.targets.find((one) => one.aim === unit)
  if (massed && Array.isArray(massed.answer)) draft.take(massed.answer)
  else draft.aimAll(unit)
}

/** A point of a measured table is tapped while a spot or a way is chosen. */
export function spotOn(play: Play, x: number, y: number): void {
  const { draft, decision } = play
  if (!draft || !decision) return
  if (decision.shape !== 'path' && decision.shape !== 'place-free') return
  const way = wayTo(decision, decision.shape === 'path' ? draft.trail : [], x, y)
  const [last, end] = [draft.trail[draft.trail.length - 1], way[way.length - 1]]
  // The same spot once more is meant.
  if (last && end && Math.hypot(last[0]! - x, last[1]! - y) < 14 && !play.notice) return play.choose(answerFor(decision, draft.trail))
  draft.trail = way
}

/** The unit under a point of a measured table. */
export function nearestUnit(play: Play, x: number, y: number): string | null {
  let best: string | null = null
  let far = 40
  for (const unit of play.game?.view.units ?? []) {
    if (!play.onTable(unit.id)) continue
    for (const model of unit.hull ? [unit.hull] : (unit.models ?? [])) {
      const away = Math.hypot(model.x - x, model.y - y)
      if (away < far) [best, far] = [unit.id, away]
    }
  }
  return best
}

// -- keys ---------------------------------------------------------------------------------------------

const STEPS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }

export interface BoardHandle {
  fit(): void
  zoom(by: number): void
}

/** A key was pressed; true if it meant something here. */
export function key(play: Play, event: KeyboardEvent, board: BoardHandle | undefined): boolean {
  const at = event.target as HTMLElement
  const { game } = play
  if (event.ctrlKey || event.metaKey || event.altKey || !game || at.matches('input, select, textarea')) return false
  const pressing = at.matches('button, a, summary')
  if (play.battle.held && event.key === ' ' && !pressing) {
    play.battle.step()
    return true
  }
  if (event.key in STEPS) {
    if (at.matches('[role="tab"], ol')) return false
    moveCursor(play, event)
    if (pressing) at.blur()
    return true
  }
  return (!pressing && confirmKey(play, event.key)) || answerKey(play, event.key) || tableKey(play, event.key, board)
}

function moveCursor(play: Play, event: KeyboardEvent): void {
  const table = play.game!.view.table
  const [dx, dy] = STEPS[event.key]!
  const { cursor } = play
  const within = (value: number, most: number): number => Math.min(most, Math.max(0, value))
  if (table.kind === 'squares') {
    const now = square(cursor || ground(play.units.get(play.decision?.unit ?? '')?.places?.[0] ?? play.decision?.spots?.[0]?.label ?? 'A1'))
    const step = cursor ? 1 : 0
    play.cursor = `${column(within(now.x + dx * step, table.width - 1))}${within(now.y + dy * step, table.height - 1) + 1}`
  } else {
    const start = cursor ? cursor.split(',').map(Number) : startOn(play, table)
    const step = cursor ? (event.shiftKey ? 5 : 25.4) : 0
    play.cursor = `${within(Math.round(start[0]! + dx * step), table.width)},${within(Math.round(start[1]! + dy * step), table.height)}`
    play.follow(play.cursor)
  }
  play.hovered = null
}

/** Where the cursor of a measured table begins: at the unit that decides, at a good spot, or in the middle. */
function startOn(play: Play, table: MeasuredView): number[] {
  const unit = play.units.get(play.onTable(play.decision?.unit))
  const begun = unit ? centreOf(unit) : undefined
  const spot = play.decision ? suggestions(play.decision).find((way) => way.length)?.[0] : undefined
  return begun ?? spot ?? [Math.round(table.width / 2), Math.round(table.height / 2)]
}

function confirmKey(play: Play, name: string): boolean {
  const { cursor, draft, game } = play
  if (name === 'Enter' && cursor && play.measured) {
    const [x, y] = cursor.split(',').map(Number) as [number, number]
    spotOn(play, x, y)
    tap(play, { place: cursor, unit: nearestUnit(play, x, y), touch: false })
  } else if (name === 'Enter' && cursor) {
    const unit = game!.view.units.find((one) => one.status === 'board' && one.places?.some((place) => ground(place) === cursor))
    tap(play, { place: cursor, unit: unit?.id ?? null, touch: false })
  } else if (name === ' ') {
    const answer = draft?.answer ?? draft?.pointed?.answer
    if (answer !== undefined) play.choose(answer)
  } else return false
  return true
}

/** Figures and letters that answer the decision. */
function answerKey(play: Play, name: string): boolean {
  const { decision, draft } = play
  if (!decision || !draft) return false
  if (/^[1-9]$/.test(name) && decision.shape === 'pick-one') {
    const option = ordered(decision)[Number(name) - 1]
    if (option) play.choose(option.answer)
  } else if (/^\d$/.test(name) && decision.shape === 'number') {
    const amount = Number(name)
    if (amount >= (decision.least ?? 0) && amount <= (decision.most ?? 9)) play.choose(amount)
  } else if (/^[yn]$/.test(name) && decision.shape === 'yes-no') play.choose(name === 'y')
  else return false
  return true
}

function tableKey(play: Play, name: string, board: BoardHandle | undefined): boolean {
  const { game, draft } = play
  if (name === 'u' && game!.can_undo) void play.battle.ask('undo', { version: game!.version })
  else if (name === 'l') (play.tab = 'log'), (play.sheet = 'more')
  else if (name === 'r') play.ruleId = play.decision?.rule ?? ''
  else if (name === 'h') void play.advise()
  else if (name === 'm' && play.measured) play.measuring = !play.measuring
  else if (name === '?') play.help = !play.help
  else if (name === '+' || name === '=') board?.zoom(1.25)
  else if (name === '-') board?.zoom(0.8)
  else if (name === '0') board?.fit()
  else if (name === 'Escape') {
    if (draft) draft.spot = null
    play.floors = play.ruleId = play.cursor = ''
    play.menu = play.help = play.legend = play.measuring = false
  } else return false
  return true
}
