// What the server sends. The page knows decision shapes, not rules.

export type Answer = null | boolean | number | string | Answer[]

export interface Option {
  answer: Answer
  label: string
}

export interface Refused {
  answer: Answer
  rule: string
  reason: string
}

export interface Spot {
  spot: Answer
  cost: number
  label: string
  facings: Answer[]
}

export interface Item {
  item: Answer
  label: string
  options: Option[]
}

export interface Decision {
  shape: 'pick-one' | 'pick-some' | 'assign' | 'place' | 'place-free' | 'path' | 'number' | 'yes-no' | 'dice'
  player: number
  key: string
  text: string
  rule: string
  unit: string
  mine: boolean
  options?: Option[]
  refused?: Refused[]
  spots?: Spot[]
  items?: Item[]
  default?: Answer
  least?: number
  most?: number
  faces?: string[]
  count?: number
  stage?: string
  region?: Record<string, unknown>
}

export interface UnitView {
  id: string
  name: string
  side: number
  card: string
  kind: string
  armour?: string
  locomotion?: string
  size?: string
  status: string
  places?: string[]
  models?: { x: number; y: number; base?: number }[]
  hull?: { x: number; y: number; heading: number; length: number; width: number }
  facing: number
  left?: number
  left_max?: number
  models_left: number
  models_max: number
  damage?: number
  damage_max?: number
  tokens: string[]
  activated: boolean
  criticals?: string[]
  aboard?: string
  points?: number
  parts?: PartView[]
}

export interface PartView {
  card: string
  name: string
  role: string
  damage: number
  skills: string[]
  weapons: WeaponView[]
}

export interface WeaponView {
  id: string
  name: string
  count: number
  range: string
  ammo: number | null
  ammo_left: number | null
  loaded: boolean
  broken: boolean
}

export interface Wall {
  between: [string, string]
  kind?: string
  opening?: string
}

export interface SquaresView {
  kind: 'squares'
  width: number
  height: number
  features: Record<string, string[]>
  walls: Wall[]
  columns?: Record<string, { top: number; climb: string }>
}

export interface MeasuredView {
  kind: 'measured'
  width: number
  height: number
  terrain: { name?: string; kind: string; outline: [number, number][] }[]
}

export interface Objective {
  name: string
  places?: string[]
  spots?: [number, number][]
  points: number
  holder: number | null
}

export interface View {
  turn: number
  turns: number
  phase: string
  to_act: number
  weather?: string
  sides: { name: string; bloc?: string; points: number }[]
  score?: number[]
  units: UnitView[]
  table: SquaresView | MeasuredView
  objectives: Objective[]
}

export interface LogLine {
  n: number
  rule: string
  kind: string
  text: string
  data: Record<string, unknown>
  choice: number
}

export interface Seat {
  seat: number
  name: string
  side: string
  kind: 'human' | 'computer'
  level: string | null
  connected: boolean
}

export interface ChatLine {
  n: number
  seat: number | null
  name: string
  text: string
  at: number
}

export interface Snapshot {
  type: 'snapshot'
  id: string
  ruleset: string
  scenario: { id: string; name: string; text: string; turns: number }
  you: number | null
  yours: number[]
  seats: Seat[]
  version: number
  choices: number
  view: View
  decision: Decision | null
  log: LogLine[]
  turn: number
  over: boolean
  result: { winner: number | null; reason: string; kind: string } | null
  can_undo: boolean
  offers: { draw: number | null; takeback: number | null }
  chat: ChatLine[]
  dice: 'fair' | 'typed'
  pace: string
  thinking: boolean
  commitment: string
  salt: string
  seed: string | null
}

export interface OddsFacts {
  hits: Record<string, number>
  losses: Record<string, number>
  destroyed: number
  capacity: number
  expected: Record<string, number>
  median: number
  steps: {
    weapon: string
    kind: string
    label: string
    dice: number
    faces: string[]
    chance: number
    expected: number
    rule: string
    because: { rule: string; text: string }[]
  }[]
  rules: string[]
  notes: string[]
}

export interface OptionsOdds {
  version: number
  options: { item: number; answer: Answer; target: string; name: string; odds: OddsFacts }[]
  targets: { answer: Answer[]; target: string; name: string; odds: OddsFacts }[]
}

export interface Preview {
  lines: { rule: string; text: string }[]
  dice: { label: string; player: number; count: number; rule: string; needs: string[]; chance: number | null } | null
  next: { player: number; key: string; text: string; shape: string; unit: string } | null
  reach: Spot[]
  odds: Record<string, OddsFacts>
  over: boolean
}
