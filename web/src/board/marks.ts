// What is drawn over the board in grease pencil: reach, paths, sight, what can be chosen.

import type { ArcView, SightLine, TemplateView } from '../lib/types'

export interface Stroke {
  from: string
  to: string
  kind: 'move' | 'shot' | 'aim'
  label?: string
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
  /** Templates that a declaration lays. */
  templates?: TemplateView[]
  /** The unit that is pointed at: its line speaks first. */
  pointed?: string
}

export interface Tap {
  place: string
  unit: string | null
  touch: boolean
}
