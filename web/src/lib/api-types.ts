// Written by tools/make_api_types.py from the server's own messages. Do not edit; run the tool again.

/** An answer to a decision: plain data. */
export type Answer = null | boolean | number | string | Answer[]

/** Why: a rule and what it says here. */
export interface Reason {
  rule: string
  text: string
}

/** What an answer is about (kernel.meaning.About); what it leaves out it does not know. */
export interface Meaning {
  act?: string
  unit?: string
  targets?: string[]
  places?: (string | number[])[]
  way?: (string | number[])[]
  facing?: number | null
  weapons?: string[]
  skills?: string[]
  cost?: number | null
  careless?: boolean
}

/** One legal answer: in words, and what it is about. */
export interface Option {
  answer: Answer
  label: string
  about: Meaning
}

/** An answer that some rule forbids. */
export interface Forbidden {
  answer: Answer
  rule: string
  reason: string
  label: string
  about?: Meaning
}

/** A place that can be chosen, what it costs, and which ways one can face there. */
export interface Spot {
  spot: Answer
  cost: number
  label: string
  facings: Answer[]
}

/** Something to be assigned, with its own options. */
export interface Item {
  item: Answer
  label: string
  options: Option[]
}

/** The pending decision: whole for whoever may answer it (`mine`), a sentence for all others. */
export interface Decision {
  shape: 'assign' | 'dice' | 'number' | 'path' | 'pick-one' | 'pick-some' | 'place' | 'place-free' | 'yes-no'
  player: number
  text: string
  mine: boolean
  key: string
  rule: string
  unit: string
  act: string
  stakes: boolean
  version?: number
  options?: Option[]
  refused?: Forbidden[]
  spots?: Spot[]
  items?: Item[]
  default?: Answer
  least?: number
  most?: number
  faces?: string[]
  count?: number
  stage?: string
  region?: Record<string, unknown>
  ordering?: boolean
}

/** A line of weapons and whether it can still fire. */
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

/** One card's models inside a unit. */
export interface PartView {
  card: string
  name: string
  role: string
  damage: number
  skills: string[]
  weapons: WeaponView[]
}

/** A model on a measured table, in millimetres: who it is, what sets it apart, what it has left. */
export interface ModelView {
  x: number
  y: number
  base?: number
  name?: string
  role?: string
  weapon?: string
  left?: number
  left_max?: number
  floor?: number
}

/** A vehicle on a measured table: its middle, where it looks, its size. */
export interface HullView {
  x: number
  y: number
  heading: number
  length: number
  width: number
}

/** A crewed gun on a measured table: its base, and where it looks. */
export interface GunView {
  x: number
  y: number
  base: number
  heading: number
}

/** A unit as screens show it. */
export interface UnitView {
  id: string
  name: string
  side: number
  card: string
  kind: string
  status: string
  facing: number
  models_left: number
  models_max: number
  tokens: string[]
  activated: boolean
  armour?: string
  locomotion?: string
  size?: string
  places?: string[]
  models?: ModelView[]
  hull?: HullView
  gun?: GunView
  carrier?: string
  building?: string
  floor?: number
  order?: string
  pins?: number
  nation?: string
  skills?: string[]
  weapons?: string[]
  left?: number
  left_max?: number
  damage?: number
  damage_max?: number
  criticals?: string[]
  aboard?: string
  points?: number
  parts?: PartView[]
  origin?: string
}

/** A wall between two squares. */
export interface Wall {
  between: [string, string]
  kind?: string
  opening?: string
}

/** The floors over a square. */
export interface ColumnView {
  top: number
  climb: string
}

/** A kind of terrain as text screens draw it. */
export interface KindView {
  symbol: string
}

/** A table of squares; squares go by their names. */
export interface SquaresView {
  kind: 'squares'
  width: number
  height: number
  features: Record<string, string[]>
  walls: Wall[]
  columns?: Record<string, ColumnView>
  kinds?: Record<string, KindView>
}

/** A piece of terrain on a measured table. */
export interface PieceView {
  kind: string
  outline: ([number, number])[]
  name?: string
  floors?: number
  openings?: number[][]
}

/** What a game measures in. */
export interface LengthUnit {
  mm: number
  mark: string
}

/** A measured table, in millimetres; its game measures in inches unless it says otherwise. */
export interface MeasuredView {
  kind: 'measured'
  width: number
  height: number
  terrain: PieceView[]
  unit?: LengthUnit
}

/** Something worth holding, and who holds it. */
export interface ObjectiveView {
  name: string
  points: number
  holder: number | null
  places?: string[]
  spots?: ([number, number])[]
}

/** One of the two forces. */
export interface SideView {
  name: string
  points: number
  bloc?: string
}

/** A part of the turn; is it going on now, and is it one side's own? */
export interface TurnStep {
  name: string
  now: boolean
  side?: number
}

/** What both sides draw from during a turn (dice in a cup, orders, activations): what is left of how many. */
export interface PoolView {
  name: string
  left: number[]
  total: number[]
  shared?: boolean
}

/** The position as the ruleset shows it. */
export interface View {
  turn: number
  turns: number
  phase: string
  sides: SideView[]
  units: UnitView[]
  table: SquaresView | MeasuredView
  objectives: ObjectiveView[]
  to_act?: number
  scenario?: string
  weather?: string
  score?: number[]
  steps?: TurnStep[]
  pools?: PoolView[]
}

/** One throw on the way from dice to losses. */
export interface OddsStep {
  weapon: string
  kind: string
  label: string
  dice: number
  faces: string[]
  chance: number
  expected: number
  rule: string
  because: Reason[]
}

/** The exact odds of an attack on one target; chances by value. */
export interface OddsFacts {
  hits: Record<string, number>
  losses: Record<string, number>
  destroyed: number
  capacity: number
  expected: Record<string, number>
  median: number
  steps: OddsStep[]
  rules: string[]
  notes: string[]
  chances?: Record<string, number>
  strength?: number
}

/** One weapon at one target. */
export interface WeaponOdds {
  item: number
  answer: Answer
  target: string
  name: string
  odds: OddsFacts
}

/** A whole answer and what it does to one unit: everything that bears at one aim, a target, a reaction. */
export interface TargetOdds {
  aim: Answer
  answer: Answer
  target: string
  name: string
  odds: OddsFacts
}

/** The odds of every answer that leads to dice. */
export interface OptionsOdds {
  version: number
  options: WeaponOdds[]
  targets: TargetOdds[]
}

/** What a computer would answer to the pending decision, in words, and why; empty where it has no more to say. */
export interface Hint {
  version: number
  answer: Answer
  label: string
  reason: string
  chance: number | null
}

/** A weapon that cannot be used, and why. */
export interface Unused {
  weapon: string
  rule: string
  reason: string
}

/** The odds between two cards. */
export interface CardOdds {
  label: string
  hits: Record<string, number>
  losses: Record<string, number>
  destroyed: number
  capacity: number
  expected: Record<string, number>
  median: number
  chances: Record<string, number>
  steps: OddsStep[]
  rules: string[]
  notes: string[]
  attacker: string
  target: string
  unused: Unused[]
}

/** Something about the situation of an attack that changes its odds, as a form asks for it. */
export interface OddsQuestion {
  name: string
  kind: 'choice' | 'flag' | 'list' | 'number' | 'words'
  text: string
  default: Answer
  choices: string[]
  least: number | null
  most: number | null
}

/** The dice that would fall next. */
export interface ThrowAhead {
  label: string
  player: number
  count: number
  rule: string
  needs: string[]
  chance: number | null
  because: Reason[]
}

/** The decision that would follow. */
export interface NextDecision {
  player: number
  key: string
  text: string
  shape: string
  unit: string
}

/** A weapon and how far it reaches, in the lengths of the game; does it reach that far? */
export interface WeaponReach {
  weapon: string
  length: number
  reaches: boolean
}

/** A tape from base edge to base edge between the nearest models (mm), its length in the lengths of the game. */
export interface Ruler {
  start: number[]
  end: number[]
  length: number
  weapons: WeaponReach[]
}

/** One model of a target as it is seen. */
export interface SeenModel {
  at: number[]
  kind: 'blocked' | 'clear' | 'cover'
  reason: string
}

/** What one unit sees of another: clear, in cover, or not at all; where the obstacle stands, and why. */
export interface SightLine {
  unit: string
  to: string
  kind: 'blocked' | 'clear' | 'cover'
  start: string | number[]
  end: string | number[]
  at: string | number[] | null
  reason: string
  rule: string
  range: number
  ruler?: Ruler
  models?: SeenModel[]
  no_shot?: string
}

/** Where a weapon bears: corners of the area on a measured table, or squares by their names. */
export interface ArcView {
  weapon: string
  name: string
  range: number
  at: string | number[]
  outline: (string | number[])[]
  rule: string
}

/** What a kind of terrain does to a unit: one line, and the rules behind it. */
export interface TerrainEffect {
  kind: string
  text: string
  rules: string[]
  going: string
}

/** What the way to every spot in reach costs: a lattice row by row, `step` millimetres apart, from (x, y) on. */
export interface CostGrid {
  x: number
  y: number
  step: number
  columns: number
  limit: number
  cells: string
}

/** What a unit sees, where its weapons bear, how far it can go, and what the ground does to it. */
export interface Sights {
  version: number
  unit: string
  lines: SightLine[]
  arcs: ArcView[]
  reach: ((string | number[])[])[]
  costs: CostGrid | null
  terrain: TerrainEffect[]
}

/** A template on a measured table: a disc, a band from `start` to `at`, or any outline; in millimetres. */
export interface TemplateView {
  at: number[]
  radius: number
  start: number[] | null
  width: number
  outline: number[][]
}

/** A base or a hull somewhere on a measured table (mm, degrees). */
export interface BodyView {
  x: number
  y: number
  heading: number
  width: number
  length: number
  round: boolean
}

/** Where an answer would bring a unit: its models there, the way (mm), its length and limit as the game measures. */
export interface RouteView {
  bodies: BodyView[]
  way: number[][]
  length: number
  limit: number
}

/** What an answer would lead to, up to the dice. Of one that is not legal, or comes too late, only why. */
export interface PreviewFacts {
  lines: Reason[]
  dice: ThrowAhead | null
  next: NextDecision | null
  reach: Spot[]
  region: Record<string, unknown> | null
  odds: Record<string, OddsFacts>
  sight: SightLine[]
  templates: TemplateView[]
  over: boolean
  route: RouteView | null
  refused: Reason | null
}

/** One event: its number, its rule, its sentence, its data, and how many choices had been made by then. */
export interface LogLine {
  n: number
  rule: string
  kind: string
  text: string
  data: Record<string, unknown>
  choice: number
}

/** The battle in a few words. */
export interface ScenarioBrief {
  id: string
  name: string
  text: string
  turns: number
}

/** How the game ended: by its own rules, by a concession, or by an agreed draw. */
export interface Result {
  winner: number | null
  reason: string
  kind: 'concession' | 'draw' | 'played'
}

/** Who sat where. */
export interface StorySeat {
  seat: number
  name: string
  side: string
}

/** A kind of die: what stands on each of its sides. */
export interface DieKind {
  name: string
  sides: string[]
}

/** A record from beginning to end. */
export interface Story {
  id: string
  ruleset: string
  scenario: ScenarioBrief
  seats: StorySeat[]
  choices: number
  log: LogLine[]
  view: View
  turn: number
  over: boolean
  result: Result | null
  options: Record<string, string>
  commitment: string
  salt: string
  seed: string | null
  thrown: number
  dice: DieKind[]
  explained: number[]
}

/** Who decides next in a replay. */
export interface Asked {
  player: number
  text: string
  mine: boolean
}

/** One moment of a replay. */
export interface Frame {
  at: number
  choices: number
  view: View
  log: LogLine[]
  lines: number
  decision: Asked | null
  answer: Answer
  turn: number
  over: boolean
}

/** One side's dice beside what was to be expected of them. */
export interface SideLuck {
  dice: number
  successes: number
  expected: number
  deviation: number
  throws: number
  as_good: number
  as_bad: number
}

/** One throw. */
export interface RollLuck {
  n: number
  player: number
  rule: string
  label: string
  dice: number
  successes: number
  expected: number
}

/** A position of a running game as a file for the referee. */
export interface CaseFile {
  name: string
  text: string
}

/** How the dice treated both sides, and how often luck like that comes up. */
export interface Luck {
  sides: SideLuck[]
  rolls: RollLuck[]
  balance: number
  as_extreme: number
  sentences: string[]
}

/** What became of a unit. */
export interface UnitFate {
  id: string
  name: string
  points: number
  left: number
}

/** The choice that cost the enemy most. */
export interface BestStroke {
  choice: number
  turn: number
  unit: string
  targets: string[]
  points: number
}

/** A throw of unusual luck, and the chance of luck like that. */
export interface RareThrow {
  choice: number
  label: string
  dice: number
  successes: number
  expected: number
  chance: number
}

/** How one side came through the battle. */
export interface SideResult {
  name: string
  points: number
  lost: number
  units: UnitFate[]
  best: BestStroke | null
  worst_luck: RareThrow | null
}

/** An objective and who holds it at the end. */
export interface HeldObjective {
  name: string
  points: number
  holder: number | null
}

/** The chance of the first side to win where an activation begins, after so many choices. */
export interface ReviewMoment {
  choice: number
  turn: number
  player: number | null
  unit: string
  text: string
  chance: number
  turning: boolean
}

/** An activation beside the best one found; all numbers are the chance to win of who made it. */
export interface JudgedActivation {
  moment: number
  best: number
  chosen: number
  after: number
  gave_up: number
  luck: number
  instead: string
  continuations: number
}

/** A finished game looked at again, as far as it has been worked out. */
export interface Review {
  ready: boolean
  done: number
  of: number
  sides: SideResult[]
  objectives: HeldObjective[]
  moments: ReviewMoment[]
  activations: JudgedActivation[]
  note: string
}

/** One way to play an option of the rulebook. */
export interface OptionChoice {
  id: string
  text: string
}

/** An option of the rulebook. */
export interface RuleOption {
  name: string
  default: string
  choices: OptionChoice[]
  rule?: string
}

/** A game. */
export interface Ruleset {
  id: string
  name: string
  summary: string
  table: string
  version: string
  rules: number
  inherits: string | null
  playable: boolean
  options: RuleOption[]
  cards: CardWords | null
}

/** What pages of cards and armies need to know of a game's cards. */
export interface CardWords {
  catalogue: string
  edition: number
  side_word: string
  side_field: string
  sides: string[]
  price_word: string
  levels: string[]
  usual_points: number
  odds: boolean
}

/** How well a computer plays, in a line. */
export interface Level {
  id: string
  name: string
  text: string
}

/** What a computer cares about; a seat's level may be LEVEL:PERSONALITY. */
export interface Personality {
  id: string
  name: string
  text: string
}

/** A rule in our own words. */
export interface RuleText {
  id: string
  title: string
  text: string
  ruleset: string
  chapter: string
  ruling: boolean
  dice?: string[]
  table?: (Record<string, unknown>)[]
  note?: string
  example?: string
  problem?: string
  why?: string
  differs?: string
  see_also?: string[]
  option?: RuleOption
  diagram?: string
}

/** The board of a scenario, as its file draws it. */
export interface BoardPlan {
  size: [number, number]
  terrain?: string[]
}

/** A piece of terrain of a measured table, in inches: a box, several, a polygon, a line or a disc. */
export interface ScenarioPiece {
  kind: string
  at?: number[]
  size?: number[]
  radius?: number
  boxes?: number[][]
  points?: number[][]
  line?: number[][]
  width?: number
}

/** A battlefield, in short; files hold more. */
export interface Scenario {
  id: string
  name: string
  text: string
  turns: number
  points?: number
  weather_name?: string
  board?: BoardPlan
  size?: number[]
  terrain?: ScenarioPiece[]
}

/** An army list that comes with the program. */
export interface Starter {
  id: string
  name: string
  ruleset: string
  side: string
  points: number
  limit: number
  army: Army
}

/** What to know of a starter army or a scenario that is lopsided between equal players. */
export interface BalanceNote {
  short: string
  text: string
  side: number | null
}

/** Two starter armies that are no even match, and why. */
export interface UnevenPairing {
  armies: [string, string]
  text: string
}

/** All that is proven to be lopsided in a game, by id; what is not listed is even, or not proven to be otherwise. */
export interface BalanceNotes {
  armies: Record<string, BalanceNote>
  scenarios: Record<string, BalanceNote>
  pairings: UnevenPairing[]
}

/** A puzzle before it is solved. `before` is the chance to win of the side that decides. */
export interface PuzzleRow {
  id: string
  ruleset: string
  title: string
  themes: string[]
  difficulty: 'easy' | 'hard' | 'medium'
  turn: number
  side: number
  before: number
}

/** What was made of a puzzle. The solution is told once the activation is over, or when it is asked for. */
export interface PuzzleVerdict {
  puzzle: PuzzleRow
  done: boolean
  right: boolean
  did: string[]
  solution: string
  why: string
  rules: string[]
  best: number | null
  next_best: number | null
}

/** A card in short: what a browser filters and sorts by. */
export interface CardRow {
  id: string
  name: string
  ruleset: string
  points: number
  side: string
  kind: string
  skills: string[]
  weapons: string[]
  factions: string[]
  rulesets: string[]
  any_side: boolean
  unknown_rules: string[]
  armour?: string
  move?: number | string | null
  march?: number | string | null
  models?: number
  damage?: number
  unique?: boolean
  size?: string
  locomotion?: string
  carried?: string[]
}

/** A card in full, of any game; its face is what a page shows. */
export interface CardFacts {
  id: string
  name: string
  ruleset: string
  kind: string
  side: string
  points: number | Record<string, number>
  skill_names: string[]
  notes: string[]
  unknown_rules: string[]
  source: string
  origin: string
  face: CardFace
  factions?: string[]
  locomotion?: string
  unique?: boolean
}

/** What is wrong with a list, by which rule, at which unit. */
export interface Fault {
  message: string
  rule: string
  unit: string
}

/** A unit of a list with its price. */
export interface ListedUnit {
  label: string
  card: string
  name: string
  points: number
}

/** What a list could do with. */
export interface Suggestion {
  message: string
  cards: string[]
}

/** Is a list legal, what does it cost, what does it lack? */
export interface ArmyReport {
  ok: boolean
  points: number
  limit: number
  bonus: number
  faction_force: boolean
  errors: Fault[]
  warnings: Fault[]
  units: ListedUnit[]
  suggestions: Suggestion[]
}

/** An entry of a roster that found no card. */
export interface Unmatched {
  name: string
  points: number
  side: string
  nearest: string[]
}

/** A card that came with a roster. */
export interface CardName {
  id: string
  name: string
}

/** What was found in the files of other programs. */
export interface Imported {
  armies: Army[]
  unmatched: Unmatched[]
  warnings: string[]
  cards: CardName[]
}

/** Where friends find this server. */
export interface Reach {
  open: boolean
  origins: string[]
  command: string
}

/** Who sits there. A computer has a level; a person may be notified at a webhook of his own. */
export interface NewSeat {
  kind?: 'computer' | 'human'
  name?: string | null
  level?: string | null
  webhook?: string | null
}

/** A battle to begin. By default: the first scenario, two starter armies, you against a computer. */
export interface NewGame {
  ruleset?: string
  scenario?: string | Record<string, unknown> | null
  armies?: (string | Record<string, unknown>)[]
  seats?: NewSeat[]
  options?: Record<string, string>
  dice?: 'fair' | 'typed'
  pace?: 'correspondence' | 'live'
  webhook?: string | null
}

/** A link to be drawn as a QR code. */
export interface LinkText {
  text: string
}

/** A seat and the token that opens it; computers have none. */
export interface SeatLink {
  seat: number
  kind: 'computer' | 'human'
  name: string
  token: string | null
  link: string | null
}

/** A token and the address with it. */
export interface Link {
  token: string
  link: string
}

/** A new game. Tokens are given only here: who loses them loses the seat. */
export interface Created {
  id: string
  seats: SeatLink[]
  spectator: Link
  table: Link
  commitment: string
}

/** A battle with secret lists, and the list of whoever offers it. */
export interface SealedOffer {
  army: string | Record<string, unknown>
  ruleset?: string
  name?: string | null
  scenario?: string | Record<string, unknown> | null
  options?: Record<string, string>
  dice?: 'fair' | 'typed'
  pace?: 'correspondence' | 'live'
}

/** The list of whoever takes a battle up. */
export interface SealedReply {
  army: string | Record<string, unknown>
  name?: string | null
}

/** A list is in. The token is given only here; it shows the own list, and opens the seat once the game has begun. */
export interface HandedIn {
  id: string
  seat: number
  token: string
  game: string | null
  link: string | null
}

/** Such a battle as a visitor sees it; a list he may not see yet is null. */
export interface SealedBattle {
  id: string
  ruleset: string
  rule: string
  points: number
  seats: (string | null)[]
  lists: (Army | null)[]
  revealed: boolean
  game: string | null
}

/** How somebody wishes to be called. */
export interface Called {
  name: string
}

/** A recovery code; `alone` takes the keys of all other devices away. */
export interface Recovering {
  code: string
  alone?: boolean
}

/** A person on a new device. Key and code are given only here: the browser keeps the one, the person the other. */
export interface NewPerson {
  id: string
  name: string
  key: string
  recovery: string
}

/** What this server has for people; its host may switch each of it off. */
export interface Features {
  people: boolean
  lobby: boolean
  ratings: boolean
  push: boolean
  sharing: boolean
}

/** A recovery code in place of the one before; given only here. */
export interface NewCode {
  recovery: string
}

/** How well somebody plays a game (Glicko-2). */
export interface Rating {
  ruleset: string
  rating: number
  deviation: number
  games: number
  sure: boolean
}

/** Somebody this server knows. */
export interface PersonView {
  id: string
  name: string
  ratings: Rating[]
}

/** A game in which one holds a seat; the person's key opens it. */
export interface MyGame {
  game: string
  ruleset: string
  pace: string
  seat: number
  names: string[]
  your_turn: boolean
  over: boolean
  at: number
  rated: boolean
}

/** What a browser gives so that only it can read a notification. */
export interface PushKeys {
  p256dh: string
  auth: string
}

/** Where a browser takes notifications, as its PushSubscription tells. */
export interface Subscription {
  endpoint: string
  keys: PushKeys
}

/** The server's public key, for the browser to subscribe with. */
export interface PushKey {
  key: string
}

/** Which browser is notified no more; without an address, none of a person's browsers. */
export interface Silencing {
  endpoint?: string | null
}

/** How many of a person's browsers are notified. */
export interface Subscribed {
  browsers: number
}

/** Meet somebody no more in the lobby, or again. */
export interface Blocking {
  person: string
  blocked?: boolean
}

/** Somebody by name. */
export interface Known {
  id: string
  name: string
}

/** Tell the host about somebody; the talk of a game where both sat goes along. */
export interface Reporting {
  person: string
  text: string
  game?: string | null
}

/** The host can read it. */
export interface Reported {
  id: string
}

/** Somebody in the list of a game: a person, or a level of the computer. */
export interface Ranked {
  who: string
  name: string
  rating: number
  deviation: number
  games: number
  sure: boolean
}

/** A battle looked for. `pair`: with whoever wishes the same, at once; otherwise somebody joins. */
export interface Offer {
  ruleset?: string
  points?: number
  pace?: 'correspondence' | 'live'
  scenario?: string | null
  army?: string | Record<string, unknown> | null
  pair?: boolean
  level?: 'any' | 'new' | 'regular' | 'veteran'
}

/** An open seat. */
export interface OfferView {
  id: string
  host: PersonView
  ruleset: string
  points: number
  pace: 'correspondence' | 'live'
  scenario: string | null
  pair: boolean
  yours: boolean
  created: number
  level: 'any' | 'new' | 'regular' | 'veteran'
}

/** The army one joins with; by default a starter army. */
export interface Joining {
  army?: string | Record<string, unknown> | null
}

/** What came of a wish: an entry of the lobby, or a game that has begun; the person's key opens his seat. */
export interface Meeting {
  offer: string | null
  game: string | null
  seat: number | null
}

/** Who sits where, and is he there? */
export interface SeatView {
  seat: number
  name: string
  side: string
  kind: 'computer' | 'human'
  level: string | null
  connected: boolean
  person?: string
}

/** Something said; seat is null for a spectator. */
export interface ChatLine {
  n: number
  seat: number | null
  name: string
  text: string
  at: number
}

/** Which seat offers a draw, which asks to take a choice back, where a rematch waits; null if none does. */
export interface Offers {
  draw: number | null
  takeback: number | null
  move: number | null
  rematch: string | null
}

/** The rules are not those the game was played by; it goes on from a stored position if both sides consent. */
export interface Moved {
  before: string
  now: string
  reason: string
  can_go_on: boolean
  lost: number
}

/** A game as one visitor sees it. */
export interface Snapshot {
  type: 'snapshot'
  id: string
  ruleset: string
  scenario: ScenarioBrief
  you: number | null
  yours: number[]
  seats: SeatView[]
  version: number
  choices: number
  view: View
  decision: Decision | null
  log: LogLine[]
  turn: number
  over: boolean
  result: Result | null
  can_undo: boolean
  offers: Offers
  chat: ChatLine[]
  dice: 'fair' | 'typed'
  pace: 'correspondence' | 'live'
  options: Record<string, string>
  thinking: boolean
  thrown: number
  explained: number[]
  origin: string | null
  moved: Moved | null
  commitment: string
  salt: string
  seed: string | null
  rated?: boolean
}

/** What changed since the version a socket was sent last. Of the old log, `kept` lines still hold. */
export interface Update {
  type: 'update'
  version: number
  since: number
  choices: number
  kept: number
  log: LogLine[]
  you: number | null
  view: View
  decision: Decision | null
  turn: number
  over: boolean
  result: Result | null
  can_undo: boolean
  offers: Offers
  thinking: boolean
  thrown: number
  explained: number[]
  seed: string | null
}

/** What was wrong, in one sentence; the rule that says so, where there is one. */
export interface Problem {
  reason: string
  rule?: string | null
  faults?: (Record<string, unknown>)[]
}

/** The choice answers a decision that is no longer pending; here is the game as it stands. */
export interface Stale {
  reason: string
  snapshot: Snapshot
}

/** An answer to the decision that was pending at a version. */
export interface Choice {
  decision: number
  answer: Answer
}

/** The change is durable; this is the version it made. */
export interface Acknowledged {
  version: number
}

/** A change that names the version it was made at, so that it cannot hit another position. */
export interface At {
  version?: number | null
}

/** Offer or ask, agree, decline, or withdraw. */
export interface OfferAction {
  action?: 'accept' | 'decline' | 'offer' | 'withdraw'
}

/** Which seat gives up, for somebody who holds both. */
export interface GiveUp {
  seat?: number | null
}

/** A line of chat. */
export interface Say {
  text: string
}

/** An answer somebody thinks about. */
export interface Preview {
  decision: number
  answer: Answer
}

/** The number of choices after which a new game goes its own way, and who plays it. */
export interface BranchAt {
  at: number
  seats?: NewSeat[]
}

/** What somebody chooses from the position of a puzzle on, both sides' answers in their order. */
export interface PuzzleAnswer {
  choices: unknown[]
}

/** The game in which both sides meet again; the token of a seat opens the same person's seat there. */
export interface Rematch {
  id: string
}

/** Why a computer made a choice; `choice` is how many choices had been made with it. */
export interface Why {
  choice: number
  seat: number
  reason: string
}

/** Whether whoever asks agrees that everybody may read the finished game. */
export interface Share {
  share: boolean
}

/** How far a game is shared: each side's consent (computers have nothing against it), and whether all agreed. */
export interface Sharing {
  agreed: boolean[]
  shared: boolean
}

/** A game that everybody may read. */
export interface SharedGame {
  id: string
  ruleset: string
  created: number
}

/** Where an uploaded record is found. */
export interface RecordId {
  id: string
  choices: number
  ok: boolean
  winner: number | null
  turns: number
}

/** The first message: who is there. */
export interface Hello {
  type: 'hello'
  token?: string | null
  tokens?: string[]
  version?: number | null
}

/** A choice over the socket; `id` comes back with the acknowledgement. */
export interface Choose {
  type: 'choose'
  decision: number
  answer: Answer
  id?: number | string | null
}

/** A line of chat over the socket. */
export interface Chat {
  type: 'chat'
  text: string
  id?: number | string | null
}

/** Ask for a whole snapshot again. */
export interface Sync {
  type: 'sync'
}

/** Is anybody there? */
export interface Ping {
  type: 'ping'
  id?: number | string | null
}

/** The choice is on the disk. */
export interface Acked {
  type: 'ack'
  id: number | string | null
  version: number
}

/** What was asked is not granted; a stale choice brings the game as it stands. */
export interface RefusedMessage {
  type: 'refused'
  reason: string
  id?: number | string | null
  status?: number
  rule?: string | null
  snapshot?: Snapshot
}

/** Who is connected. */
export interface PresenceMessage {
  type: 'presence'
  connected: boolean[]
  spectators: number
}

/** Something was said. */
export interface ChatMessage {
  type: 'chat'
  line: ChatLine
}

/** An offer was made or is gone. */
export interface OfferMessage {
  type: 'offer'
  offers: Offers
}

/** A computer begins to think, or has done. */
export interface ThinkingMessage {
  type: 'thinking'
  thinking: boolean
}

/** Somebody is there. */
export interface Pong {
  type: 'pong'
  id: number | string | null
}

/** One unit of a list. */
export interface ArmyUnit {
  card: string
  label?: string | null
  name?: string | null
  options?: Record<string, number>
  experience?: 'inexperienced' | 'regular' | 'veteran' | null
  models?: number | null
  joins?: string | null
  pilots?: string | null
  mounted_in?: string | null
  platoon?: string | null
  role?: 'combat' | 'command' | 'support' | null
  captured?: boolean
}

/** An army list. `bloc` or `nation` names the side, as the game calls it; `points` is the limit agreed for the game. */
export interface Army {
  ruleset: string
  name: string
  points: number
  units?: ArmyUnit[]
  bloc?: string | null
  nation?: string | null
  faction?: string | null
  platoons?: Record<string, string>
  unrestricted?: boolean
  data?: string
}

/** A value of the unit under its name: Armour S2, Move 6". */
export interface Figure {
  name: string
  value: string
}

/** A weapon line: how many, what is special about it, and a cell for each column of the card's table. */
export interface WeaponFace {
  name: string
  count: number
  details: string[]
  rules: string[]
  cells: string[]
  spoken: string[]
  spare: boolean
}

/** Something the unit may buy, up to `most` times. `price` is in words, as it may hang on experience. */
export interface OptionFace {
  id: string
  name: string
  price: string
  group: string
  carrier: string
  standard: boolean
  most: number
}

/** A line with a label: Captured: 34 AP by Axis. */
export interface Remark {
  label: string
  text: string
}

/** What a list may decide about a unit of the card besides its options. */
export interface Choices {
  levels: string[]
  models_min: number
  models_max: number
  joins: boolean
  pilots: boolean
  rides: boolean
}

/** A card as it is shown. */
export interface CardFace {
  headline: string
  price: string
  figures: Figure[]
  rules_word: string
  rules: string[]
  columns: string[][]
  weapons: WeaponFace[]
  members: string[]
  track: number
  options: OptionFace[]
  choices: Choices
  remarks: Remark[]
  legend: string
  origin: string
}

/** What the log must show: an event by its kind, under a rule (or its chapter), by the learner's side or by any. */
export interface StepDone {
  event: string
  rule: string
  side: 'any' | 'mine'
  about: Record<string, string | number>
}

/** One thing to learn. */
export interface LessonStep {
  id: string
  title: string
  text: string
  hint: string
  rule: string
  done: StepDone
  at: string[]
  chance: boolean
}

/** What the coach says at decisions that belong to no step. */
export interface Aside {
  title: string
  text: string
  at: string[]
}

/** A face of the game's die and what it is good for. */
export interface DieFace {
  face: string
  name: string
  text: string
}

/** A small battle and what is learnt in it. */
export interface Lesson {
  name: string
  text: string
  minutes: number
  scenario: Record<string, unknown>
  armies: [unknown, unknown]
  steps: LessonStep[]
  end: string
  opponent: string
  placed: boolean
  dice: DieFace[]
  asides: Aside[]
  id: string
  ruleset: string
}

export type Incoming = Hello | Choose | Chat | Sync | Ping

export type Outgoing = Snapshot | Update | Acked | RefusedMessage | PresenceMessage | ChatMessage | OfferMessage | ThinkingMessage | Pong

/** What the routes answer, by method and path. */
export interface Routes {
  'POST /armies/check': ArmyReport
  'POST /armies/import': Imported
  'POST /armies/print': string
  'POST /armies/random': Army
  'GET /armies/starters': Starter[]
  'POST /armies/text': Record<string, string>
  'GET /balance': BalanceNotes
  'GET /cards': CardRow[]
  'GET /cards/{card_id}': CardFacts
  'GET /features': Features
  'POST /games': Created
  'GET /games/{game_id}': Snapshot
  'POST /games/{game_id}/branch': Created
  'GET /games/{game_id}/case': CaseFile
  'POST /games/{game_id}/chat': Record<string, number>
  'POST /games/{game_id}/choices': Acknowledged
  'POST /games/{game_id}/claim': MyGame
  'POST /games/{game_id}/concede': Acknowledged
  'POST /games/{game_id}/draw': Acknowledged
  'GET /games/{game_id}/hint': Hint
  'GET /games/{game_id}/luck': Luck
  'POST /games/{game_id}/move': Acknowledged
  'GET /games/{game_id}/odds': OptionsOdds
  'POST /games/{game_id}/preview': PreviewFacts
  'GET /games/{game_id}/puzzle': PuzzleVerdict
  'GET /games/{game_id}/record': Record<string, unknown>
  'POST /games/{game_id}/rematch': Rematch
  'GET /games/{game_id}/replay': Frame
  'GET /games/{game_id}/review': Review
  'GET /games/{game_id}/sharing': Sharing
  'POST /games/{game_id}/sharing': Sharing
  'GET /games/{game_id}/sight': Sights
  'POST /games/{game_id}/takeback': Acknowledged
  'POST /games/{game_id}/undo': Acknowledged
  'GET /games/{game_id}/why': Why
  'GET /health': Record<string, string>
  'GET /lessons': Lesson[]
  'GET /levels': Level[]
  'GET /lobby': OfferView[]
  'POST /lobby': Meeting
  'POST /lobby/{offer_id}/join': Meeting
  'POST /odds': CardOdds
  'GET /odds/questions': OddsQuestion[]
  'POST /people': NewPerson
  'GET /people/me': PersonView
  'GET /people/me/blocked': Known[]
  'POST /people/me/blocked': Blocking
  'GET /people/me/games': MyGame[]
  'POST /people/me/name': Called
  'POST /people/me/push': Subscribed
  'POST /people/me/push/stop': Subscribed
  'POST /people/me/recovery': NewCode
  'POST /people/me/reports': Reported
  'GET /people/push': PushKey
  'POST /people/recover': NewPerson
  'GET /personalities': Personality[]
  'GET /puzzles': PuzzleRow[]
  'GET /puzzles/daily': PuzzleRow
  'POST /puzzles/{ruleset_id}/{puzzle_id}/answer': PuzzleVerdict
  'POST /puzzles/{ruleset_id}/{puzzle_id}/branch': Created
  'GET /puzzles/{ruleset_id}/{puzzle_id}/view': View
  'POST /qr': unknown
  'GET /ratings': Ranked[]
  'GET /reach': Reach
  'POST /records': RecordId
  'GET /records/{record_id}': Story
  'POST /records/{record_id}/branch': Created
  'GET /records/{record_id}/file': Record<string, unknown>
  'GET /records/{record_id}/luck': Luck
  'GET /records/{record_id}/replay': Frame
  'GET /records/{record_id}/review': Review
  'GET /rules': RuleText[]
  'GET /rules/{rule_id}': RuleText
  'GET /rules/{rule_id}/diagram': unknown
  'GET /rulesets': Ruleset[]
  'GET /rulesets/{ruleset_id}/picture': View
  'GET /scenarios': Scenario[]
  'POST /sealed-lists': HandedIn
  'GET /sealed-lists/{sealed_id}': SealedBattle
  'POST /sealed-lists/{sealed_id}': HandedIn
  'GET /shared-games': SharedGame[]
  'GET /shared-games/{game_id}/record': Record<string, unknown>
}
