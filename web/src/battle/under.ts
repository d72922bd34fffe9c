// What lies under the pointer or the cursor, in words.

import type { Marks } from '../board/marks'
import { lengthsOf } from '../lib/lengths'
import { spotName, terrainAt } from '../lib/regions'
import { nearestUnit } from './hands'
import { ground, type Play } from './play.svelte'

export function underPointer(play: Play, marks: Marks): string {
  const { game, hovered, cursor, units } = play
  const place = hovered?.place ?? cursor
  if (!game || !place) return ''
  const { table } = game.view
  if (table.kind === 'measured') {
    const [x, y] = place.split(',').map(Number) as [number, number]
    const unit = hovered ? hovered.unit : nearestUnit(play, x, y)
    const what = terrainAt(table, x, y).map((kind) => kind.replaceAll('_', ' '))
    return [`${spotName([x, y], lengthsOf(game.view))}: ${what.join(', ') || 'open ground'}`, unit ? (units.get(unit)?.name ?? '') : ''].filter(Boolean).join(' · ')
  }
  const words = (table.features[place] ?? []).map((kind) => kind.replaceAll('_', ' '))
  const top = table.columns?.[place]?.top
  const goal = game.view.objectives.find((one) => one.places?.includes(place))
  const cost = marks.reach?.find((spot) => ground(spot.label) === place)?.cost
  const who = game.view.units.filter((unit) => unit.status === 'board' && unit.places?.some((one) => ground(one) === place))
  return [
    `${place}: ${words.join(', ') || 'open ground'}${top ? `, ${top} ${top > 1 ? 'floors' : 'floor'}` : ''}`,
    goal ? `${goal.name}${goal.points ? `, ${goal.points} points` : ''}` : '',
    ...who.map((unit) => unit.name),
    cost ? `costs ${cost}` : ''
  ]
    .filter(Boolean)
    .join(' · ')
}
