// What the decision, its preview and the last events look like on the table, in grease pencil.

import type { Marks, Shot, Stroke } from '../board/marks'
import { same, squaresOf, unitsOf, type Draft } from '../lib/draft.svelte'
import { lengthsOf, lengthText } from '../lib/lengths'
import { inBrief } from '../lib/choices'
import { percent } from '../lib/numbers'
import type { Decision, OddsFacts, SightLine, Snapshot } from '../lib/types'
import { ground, type Play } from './play.svelte'

export function marksOf(play: Play): Marks {
  const { game, decision, draft } = play
  if (!game) return {}
  const marks: Marks = { strokes: [] }
  if (decision?.unit && play.units.has(decision.unit)) {
    marks.chosen = decision.unit
    marks.awake = true
  }
  if (decision && draft) {
    if (decision.shape === 'pick-one') ofPick(play, decision, draft, marks)
    else if (decision.shape === 'place') ofPlace(play, decision, draft, marks)
    else if (decision.shape === 'assign') ofAims(play, decision, draft, marks)
    else if (play.isFree) ofWay(play, draft, marks)
  }
  ofSight(play, marks)
  if (play.measured) marks.shots = shotsOf(play, game, marks)
  if (play.hovered?.unit) marks.pointed = play.hovered.unit
  if (!marks.targets?.length && !draft?.spot && !marks.sight?.length && !marks.shots?.length) happened(play, game, marks)
  return marks
}

function ofPick({ preview, acting }: Play, decision: Decision, draft: Draft, marks: Marks): void {
  marks.units = (decision.options ?? []).flatMap((option) => unitsOf(option, decision))
  if (!draft.pointed) return
  const pointed = acting || unitsOf(draft.pointed, decision)[0]
  if (pointed) marks.chosen = pointed
  marks.targets = (draft.pointed.about.targets ?? []).filter((target) => target !== pointed)
  marks.area = squaresOf(draft.pointed)
  if (preview?.reach.length) {
    marks.reach = preview.reach
    marks.preview = true
  }
}

function ofPlace({ floors }: Play, decision: Decision, draft: Draft, marks: Marks): void {
  marks.reach = decision.spots ?? []
  if (draft.spot) {
    marks.spot = ground(draft.spot.label)
    if (draft.spot.facings.length > 1) marks.facings = draft.spot.facings.map(Number)
  } else if (floors) marks.spot = floors
}

/** The ghost of the formation where it would stand; why it cannot, where it cannot. */
function ofWay({ preview, sight, decision }: Play, draft: Draft, marks: Marks): void {
  if (preview?.route) marks.ghost = preview.route
  marks.ghostFollows = !draft.trail.length
  if (preview?.refused) marks.no = plainReason(preview.refused.text)
  if (sight && sight.unit === decision?.unit) marks.goings = new Map(sight.terrain.flatMap((one) => (one.going ? [[one.kind, one.going] as const] : [])))
}

/** A reason in players' words: without the id of its rule, and without how often it was tried. */
export const plainReason = (text: string): string => text.replace(/ \([a-z0-9]+(\.[a-z0-9_]+)+\)/g, '').replace(/ \(\d+ playouts?\)/g, '')

function ofAims(play: Play, decision: Decision, draft: Draft, marks: Marks): void {
  const { aimable, preview } = play
  if (aimable.size) {
    marks.reach = [...aimable.keys()].map((label) => ({ label, cost: 0 }))
    marks.preview = true
    const chosen = draft.aims.flatMap((aim, item) => [...aimable.values()].flat().find((one) => one.item === item && same(one.option.answer, aim))?.squares ?? [])
    const under = play.hovered?.place ?? play.cursor
    marks.area = [...new Set(chosen.length && !aimable.has(under) ? chosen : (play.nextAim(under)?.squares ?? chosen))]
  }
  marks.units = [...new Set((decision.items ?? []).flatMap((item) => item.options.flatMap((option) => option.about.targets ?? [])))]
  marks.targets = draft.targets
  for (const target of marks.targets) {
    const chance = preview?.odds[target]
    if (decision.unit) marks.strokes!.push({ from: decision.unit, to: target, kind: 'aim', ...(chance ? { label: percent(chance.destroyed) } : {}) })
  }
  if (preview) marks.templates = preview.templates
}

function ofSight(play: Play, marks: Marks): void {
  const { decision, draft, preview, sight, measured } = play
  const placing = preview?.sight.length && decision && draft && decision.shape !== 'pick-one' && decision.shape !== 'assign'
  const acts = measured && draft && sight?.unit === play.acting && (play.isAiming || play.isFree || play.isEnemy(play.hovered?.unit))
  // Who would see the unit there; whom it would not see is no news.
  if (placing) marks.sight = measured ? preview.sight.filter((line) => line.kind !== 'blocked') : preview.sight
  else if (acts) marks.arcs = play.isAiming ? sight.arcs : []
  else if (sight) {
    const aimed = decision?.shape === 'assign' && draft && sight.unit === decision.unit && marks.units?.length ? new Set(marks.units) : null
    marks.sight = aimed ? sight.lines.filter((line) => aimed.has(line.to)) : sight.lines
    marks.arcs = sight.arcs
  }
  if (decision?.region && draft && sight?.unit === decision.unit) {
    marks.rings = sight.reach.map((ring) => ring.filter((point) => typeof point !== 'string'))
    if (sight.costs) marks.costs = sight.costs
  }
}

// -- shots on measured tables ---------------------------------------------------------------------------

/** My shot at the unit that is pointed at, and at those aimed at: distance against range, cover by model, odds. */
function shotsOf(play: Play, game: Snapshot, marks: Marks): Shot[] {
  const { sight, draft } = play
  if (!sight || !draft || sight.unit !== play.acting || play.isFree) return []
  const hovered = play.isEnemy(play.hovered?.unit) ? [play.hovered!.unit!] : []
  const aimed = play.isAiming ? (marks.targets ?? []) : []
  return [...new Set([...hovered, ...aimed])].flatMap((target) => {
    const line = sight.lines.find((one) => one.to === target)
    return line?.ruler ? [shotOf(line, lengthsOf(game.view), oddsAgainst(play, target))] : []
  })
}

/** The odds of the option that is pointed at, or of what is aimed at a unit as things stand; else of everything at it. */
function oddsAgainst({ preview, odds, draft }: Play, target: string): OddsFacts | undefined {
  const pointed = draft?.pointed
  if (pointed) return preview?.odds[target] ?? odds?.targets.find((one) => one.target === target && same(one.answer, pointed.answer))?.odds
  return (draft?.targets.includes(target) ? preview?.odds[target] : undefined) ?? odds?.targets.find((one) => one.target === target)?.odds
}

export function shotOf(line: SightLine, lengths: ReturnType<typeof lengthsOf>, odds?: OddsFacts): Shot {
  const { start, end, length, weapons } = line.ruler!
  const range = Math.max(0, ...weapons.map((weapon) => weapon.length))
  const reached = weapons.some((weapon) => weapon.reaches)
  const seen = line.kind !== 'blocked'
  const label = reached || !range ? `${lengthText(lengths, length)} of ${lengthText(lengths, range)}` : length > range ? `${lengthText(lengths, length - range)} too far` : `${lengthText(lengths, length)}: out of range`
  const hurt = odds ? inBrief(odds) : ''
  const why = line.reason.replaceAll('_', ' ')
  const note = !seen ? `not seen: ${why}` : reached && hurt ? hurt : line.no_shot || why
  const at = line.at !== null && typeof line.at !== 'string' ? line.at : null
  return { start, end, length, range, ok: reached && seen && !line.no_shot, seen, label, note: note.length > 64 ? `${note.slice(0, 62)}…` : note, at, models: line.models ?? [] }
}

// -- what happened --------------------------------------------------------------------------------------

const MOST_TRACES = 5

/** What happened since your last choice, in pencil. */
function happened(play: Play, game: Snapshot, marks: Marks): void {
  const strokes: Stroke[] = marks.strokes!
  for (const unit of game.view.units) {
    const was = play.before.get(unit.id)
    const is = unit.places?.join(' ') ?? ''
    if (was && is && was !== is && unit.status === 'board' && unit.side !== game.you) strokes.push({ from: was, to: unit.id, kind: 'move' })
  }
  marks.fired = play.battle.traces.filter((trace) => trace.choice > play.lastMine && trace.n <= (game.log[game.log.length - 1]?.n ?? -1)).slice(-MOST_TRACES)
  for (const { from, to } of marks.fired) if (typeof from === 'string' && typeof to === 'string') strokes.push({ from, to, kind: 'shot' })
}
