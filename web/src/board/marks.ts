// What is drawn over the board in grease pencil: reach, paths, sight, what can be chosen.

import type { CostGrid, Point, RouteView, SeenModel, SightLine, ArcView, TemplateView } from '../lib/types'

import type { Goings } from './going'

export interface Stroke {
  from: string
  to: string
  kind: 'move' | 'shot' | 'aim'
  label?: string
}

/** A shot measured on the table: from base edge to base edge, against the range of the longest weapon that takes part. */
export interface Shot {
  start: number[]
  end: number[]
  /** In the lengths of the game. */
  length: number
  range: number
  ok: boolean
  seen: boolean
  label: string
  note: string
  /** Where it is stopped or screened. */
  at: number[] | null
  models: readonly SeenModel[]
}

export interface Marks {
  /** Places that can be chosen, by name, with what they cost. */
  reach?: { label: string; cost: number }[]
  /** The reach is only a preview, not a choice. */
  preview?: boolean
  /** Squares of the option that is pointed at. */
  area?: string[]
  /** The square chosen so far, and the facings it offers. */
  spot?: string
  facings?: number[]
  /** Units that can be chosen, the unit that decides, units aimed at. */
  units?: string[]
  chosen?: string
  /** The chosen unit is acting: it does not lie tilted yet. */
  awake?: boolean
  targets?: string[]
  /** Lines between units or squares. */
  strokes?: Stroke[]
  /** Units shown pale. */
  dim?: string[]
  /** Lines of sight, fields of fire, and rings round the ground in reach. */
  sight?: SightLine[]
  arcs?: ArcView[]
  rings?: number[][][]
  /** What the way to every spot of that ground costs. */
  costs?: CostGrid
  /** Templates that a declaration lays. */
  templates?: TemplateView[]
  /** The unit that is pointed at: its line speaks first. */
  pointed?: string
  /** Shots as rulers, and shots that were fired, on measured tables. */
  shots?: Shot[]
  fired?: { from: Point; to: Point; side: number }[]
  /** Where the unit would stand, and why it cannot. */
  ghost?: RouteView
  ghostFollows?: boolean
  /** How the unit that moves crosses kinds of terrain. */
  goings?: Goings
  no?: string
}

export interface Tap {
  place: string
  unit: string | null
  touch: boolean
}
