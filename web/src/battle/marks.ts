// What the decision, its preview and the last events look like on the table, in grease pencil.

import type { Marks, Stroke } from '../board/marks'
import { same, squaresOf, unitsOf, type Draft } from '../lib/draft.svelte'
import { percent } from '../lib/numbers'
import type { Decision, Snapshot } from '../lib/types'
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
  }
  ofSight(play, marks)
  if (play.hovered?.unit) marks.pointed = play.hovered.unit
  if (!marks.targets?.length && !draft?.spot && !marks.sight?.length) happened(play, game, marks.strokes!)
  return marks
}

function ofPick({ preview }: Play, decision: Decision, draft: Draft, marks: Marks): void {
  marks.units = (decision.options ?? []).flatMap((option) => unitsOf(option, decision))
  if (!draft.pointed) return
  const pointed = unitsOf(draft.pointed, decision)[0]
  if (pointed) marks.chosen = pointed
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
  const { decision, draft, preview, sight } = play
  const placing = preview?.sight.length && decision && draft && decision.shape !== 'pick-one' && decision.shape !== 'assign'
  if (placing) marks.sight = preview!.sight
  else if (sight) {
    const aimed = decision?.shape === 'assign' && draft && sight.unit === decision.unit && marks.units?.length ? new Set(marks.units) : null
    marks.sight = aimed ? sight.lines.filter((line) => aimed.has(line.to)) : sight.lines
    marks.arcs = sight.arcs
  }
  if (decision?.region && draft && sight?.unit === decision.unit) marks.rings = sight.reach.map((ring) => ring.filter((point) => typeof point !== 'string'))
}

/** What happened since your last choice, in pencil. */
function happened(play: Play, game: Snapshot, strokes: Stroke[]): void {
  for (const unit of game.view.units) {
    const was = play.before.get(unit.id)
    const is = unit.places?.join(' ') ?? ''
    if (was && is && was !== is && unit.status === 'board' && unit.side !== game.you) strokes.push({ from: was, to: unit.id, kind: 'move' })
  }
  const shots = new Set<string>()
  for (const line of game.log) {
    if (line.choice <= play.lastMine) continue
    const from = String(line.data['unit'] ?? '')
    const to = String(line.data['target'] ?? '')
    if (from !== to && play.units.get(from)?.status === 'board' && play.units.get(to)?.status === 'board') shots.add(`${from} ${to}`)
  }
  for (const shot of shots) {
    const [from, to] = shot.split(' ') as [string, string]
    strokes.push({ from, to, kind: 'shot' })
  }
}
