// What one seat has before it: the decision, the answer in the making, what that would lead to, and what is seen. It knows decision
// shapes and no rules. The socket lives in lib/battle.svelte.ts, what is drawn of all this in battle/marks.ts.

import { untrack } from 'svelte'
import { liveries } from '../board/liveries'
import type { Tap } from '../board/marks'
import { get as fetchJson, post } from '../lib/api'
import type { Battle } from '../lib/battle.svelte'
import { aimsAtSquares, Draft, same, unitsOf, type Aim } from '../lib/draft.svelte'
import { previewIn } from '../lib/readable'
import { rule } from '../lib/rules'
import { answerFor, wayTo } from '../lib/ways'
import type { Answer, Hint, Option, OptionsOdds, Preview, SightLine, Sights, Spot } from '../lib/types'

/** The square a place stands on: floors share one. */
export const ground = (name: string): string => name.split('+')[0]!

export type Tab = 'log' | 'unit' | 'forces' | 'talk'

export class Play {
  readonly game = $derived.by(() => this.battle.game)
  readonly decision = $derived(this.game?.decision ?? null)
  readonly mine = $derived(this.decision?.mine === true)
  readonly draft = $derived(this.decision && this.mine ? new Draft(this.decision) : null)
  readonly units = $derived(new Map((this.game?.view.units ?? []).map((unit) => [unit.id, unit])))
  readonly dress = $derived(this.game ? liveries(this.game.view.sides) : [])
  readonly measured = $derived(this.game?.view.table.kind === 'measured')

  tab = $state<Tab>('log')
  sheet = $state<'ask' | 'more'>('ask')
  ruleId = $state('')
  menu = $state(false)
  help = $state(false)
  legend = $state(false)
  /** The tape measure is in the hand. */
  measuring = $state(false)
  /** Where the keyboard's cursor stands, the unit whose card was opened, and what the pointer rests on. */
  cursor = $state('')
  peeked = $state('')
  hovered = $state.raw<Tap | null>(null)
  glanced = $state('')
  /** A column of squares whose floor is being chosen. */
  floors = $state('')
  notice = $state('')
  preview = $state.raw<Preview | null>(null)
  odds = $state.raw<OptionsOdds | null>(null)
  sight = $state.raw<Sights | null>(null)
  /** What the computer would do here; and the sides whose units it places. */
  hint = $state.raw<Hint | null>(null)
  advising = $state(false)
  deploying = $state.raw<readonly number[]>([])
  /** The last choice made here, and where everybody stood then. */
  lastMine = $state(Infinity)
  before = $state.raw(new Map<string, string>())

  private asked = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private glancing: ReturnType<typeof setTimeout> | undefined

  constructor(readonly battle: Battle) {
    $effect(() => this.startAfresh())
    $effect(() => {
      if (this.game && this.lastMine === Infinity) this.lastMine = this.game.choices
    })
    $effect(() => this.readAhead())
    $effect(() => this.askOdds())
    $effect(() => this.lookFromDraft())
    $effect(() => this.lookRound())
    $effect(() => this.deployOn())
    $effect(() => this.orderOn())
  }

  /** The unit that acts, if it stands on the table. */
  onTable(unit: string | null | undefined): string {
    return unit && ['board', 'table'].includes(this.units.get(unit)?.status ?? '') ? unit : ''
  }

  readonly shown = $derived(this.units.get((this.hovered?.unit && !('ontouchstart' in window) ? this.hovered.unit : '') || this.peeked || this.decision?.unit || ''))
  readonly spots: Spot[] = $derived(this.floors && this.decision?.spots ? this.decision.spots.filter((spot) => ground(spot.label) === this.floors) : [])

  // -- deciding -----------------------------------------------------------------------------------

  choose(answer: Answer): void {
    if (!this.game) return
    this.lastMine = this.game.choices + 1
    this.before = new Map(this.game.view.units.map((unit) => [unit.id, unit.places?.join(' ') ?? '']))
    this.forget()
    this.battle.choose(answer)
  }

  /** Take all of the options in the order in which they stand: the same question about the rest is answered likewise. */
  chooseInOrder(): void {
    const { decision, game } = this
    const first = decision?.ordering ? decision.options?.[0] : undefined
    if (!first) return
    this.inOrder = { unit: decision!.unit, turn: game?.turn ?? 0 }
    this.choose(first.answer)
  }

  /** What is being taken in order, until the unit is asked something else. */
  private inOrder: { unit: string; turn: number } | null = null

  private orderOn(): void {
    const { decision, inOrder } = this
    if (!this.mine || !decision || this.battle.waiting || decision.unit !== inOrder?.unit) return
    const isRest = decision.ordering && this.game?.turn === inOrder.turn
    untrack(() => (isRest ? this.chooseInOrder() : (this.inOrder = null)))
  }

  private startAfresh(): void {
    void this.decision
    untrack(() => {
      this.forget()
      this.odds = this.hint = null
      this.floors = ''
      this.sheet = 'ask'
      this.notice = ''
    })
  }

  /** The rule behind the decision is at hand before anybody asks for it. */
  private readAhead(): void {
    const wanted = this.mine ? this.decision?.rule : ''
    if (wanted) setTimeout(() => void rule(wanted).catch(() => undefined), 400)
  }

  // -- advice ---------------------------------------------------------------------------------------

  /** Is something of mine being placed before the battle begins? */
  readonly placing = $derived(
    this.mine && this.game?.turn === 0 && (this.decision?.act === 'deploy' || this.decision?.shape === 'place' || this.decision?.shape === 'place-free')
  )
  /** Does the computer place what is being placed? */
  readonly isDeploying = $derived(this.placing && this.deploying.includes(this.decision?.player ?? -1))
  /** May the computer be asked? Dice that people roll are their own. */
  readonly advisable = $derived(this.mine && this.decision?.shape !== 'dice' && !this.isDeploying)

  /** Ask what the computer would do here, and why. */
  advise(): Promise<void> {
    if (!this.advisable || this.battle.waiting) return Promise.resolve()
    return this.withAdvice((hint) => {
      this.hint = { ...hint, label: this.battle.inWords(hint.label), reason: this.battle.inWords(hint.reason) }
      this.draft?.show(hint.answer)
      if (this.draft?.pointed) this.point(this.draft.pointed)
    })
  }

  /** The computer places what is left to place of this side. */
  deployForMe(): void {
    if (this.placing && this.decision) this.deploying = [...this.deploying, this.decision.player]
  }

  private deployOn(): void {
    if (this.isDeploying && this.decision && !this.battle.waiting && !this.advising)
      untrack(() => void this.withAdvice((hint) => this.isDeploying && this.choose(hint.answer)))
  }

  /** Do something with the server's hint for the decision at hand, unless the game has moved on meanwhile. */
  private async withAdvice(use: (hint: Hint) => void): Promise<void> {
    if (this.advising) return
    const version = this.game?.version
    this.advising = true
    try {
      const hint = await fetchJson<Hint>(`/games/${this.battle.id}/hint`, this.battle.token)
      if (hint.version === version && this.game?.version === version) use(hint)
    } catch (error) {
      this.deploying = []
      if (this.game?.version === version) this.notice = error instanceof Error ? error.message : 'There is no hint to be had now.'
    } finally {
      this.advising = false
    }
  }

  peek(unit: string): void {
    this.peeked = unit
    this.tab = 'unit'
    this.sheet = 'more'
  }

  // -- what an answer would lead to ----------------------------------------------------------------

  private forget(): void {
    this.asked += 1
    clearTimeout(this.timer)
    this.preview = null
  }

  /** Ask the server what an answer would lead to; only the last question counts. */
  look(answer: Answer, wait: number): void {
    clearTimeout(this.timer)
    const mark = (this.asked += 1)
    const version = this.game?.version
    this.timer = setTimeout(() => {
      if (this.battle.waiting || this.game?.version !== version) return
      post<Preview>(`/games/${this.battle.id}/preview`, { decision: version, answer }, this.battle.token)
        .then((preview) => {
          if (mark !== this.asked || this.game?.version !== version) return
          this.preview = previewIn({ ...preview, sight: this.inWords(preview.sight) }, this.battle.inWords)
          // A way or a spot that is not legal is explained before anybody confirms it.
          if (preview.refused && this.draft?.answer !== undefined && this.isFree) this.notice = preview.refused.text
        })
        .catch(() => undefined)
    }, wait)
  }

  /** Lines of sight, said as people say it. */
  private inWords(lines: readonly SightLine[]): SightLine[] {
    const say = this.battle.inWords
    return lines.map((line) => ({ ...line, reason: say(line.reason), ...(line.no_shot ? { no_shot: say(line.no_shot) } : {}) }))
  }

  point(option: Option | null): void {
    if (!this.draft) return
    this.draft.pointed = option
    if (option) this.look(option.answer, 60)
    else this.forget()
  }

  private askOdds(): void {
    const version = this.game?.version
    const draft = this.draft
    if (this.decision?.stakes && draft)
      fetchJson<OptionsOdds>(`/games/${this.battle.id}/odds`, this.battle.token)
        .then((odds) => {
          if (odds.version !== version || this.game?.version !== version) return
          this.odds = odds
          draft.propose(odds)
        })
        .catch(() => undefined)
  }

  /** An answer in the making shows what it leads to as it is put together. */
  private lookFromDraft(): void {
    const { draft, decision } = this
    if (!draft || !decision) return
    if (decision.shape === 'assign') {
      const aims = draft.aims
      untrack(() => this.look(aims, 30))
    } else if (decision.shape === 'place') {
      const spot = draft.spot
      if (spot) untrack(() => this.look([spot.spot, this.facingFor(spot.facings)], 60))
    } else if (this.isFree) {
      const answer = draft.answer
      untrack(() => {
        this.notice = ''
        if (answer !== undefined) this.look(answer, 60)
      })
    }
  }
  /** Is a spot or a way on a measured table being chosen? */
  readonly isFree = $derived(this.decision?.shape === 'path' || this.decision?.shape === 'place-free')

  facingFor(facings: readonly Answer[]): Answer {
    const now = Number(this.units.get(this.decision?.unit ?? '')?.facing ?? 0)
    return facings.includes(now) ? now : (facings[0] ?? null)
  }

  // -- looking round ----------------------------------------------------------------------------------

  private readonly underCursor = $derived(
    this.cursor && !this.measured ? this.game?.view.units.find((unit) => unit.status === 'board' && unit.places?.some((place) => ground(place) === this.cursor))?.id : ''
  )
  /** The unit that would act: of the option pointed at, else of the decision. */
  readonly acting = $derived(this.onTable(this.draft?.pointed?.about.unit) || this.onTable(this.decision?.unit))
  /** Does the decision send shots from one unit at others? */
  readonly isAiming = $derived(
    this.decision?.shape === 'assign'
      ? (this.decision.items ?? []).some((item) => item.options.some((option) => option.about.targets?.length))
      : Boolean(this.decision?.stakes && (this.draft?.pointed?.about.targets?.length || (this.decision.act === 'attack' && this.decision.options?.some((option) => option.about.targets?.length))))
  )

  isEnemy(unit: string | null | undefined): boolean {
    const other = this.units.get(this.onTable(unit))
    const mine = this.units.get(this.acting)
    return other !== undefined && mine !== undefined && other.side !== mine.side
  }

  /** Whose eyes we look through: the unit pointed at, rested on or opened; while aiming, the one that aims. */
  readonly looking = $derived.by(() => {
    const { draft, decision } = this
    if (this.measured && draft && this.acting && (this.isAiming || this.isFree || this.isEnemy(this.hovered?.unit))) return this.acting
    const pointed = draft?.pointed && decision ? unitsOf(draft.pointed, decision)[0] : ''
    const aiming = decision?.shape === 'assign' || decision?.region ? decision.unit : ''
    const opened = this.tab === 'unit' ? this.shown?.id : ''
    return (
      this.onTable(pointed) ||
      this.onTable(this.glanced) ||
      this.onTable(this.underCursor) ||
      this.onTable(opened) ||
      (draft ? this.onTable(aiming) : '') ||
      (this.legend ? this.onTable(decision?.unit) : '')
    )
  })

  private lookRound(): (() => void) | void {
    const unit = this.looking
    const version = this.game?.version
    if (!unit || version === undefined) {
      this.sight = null
      return
    }
    if (untrack(() => this.sight?.unit) !== unit) this.sight = null
    const wait = setTimeout(() => {
      fetchJson<Sights>(`/games/${this.battle.id}/sight?unit=${encodeURIComponent(unit)}`, this.battle.token)
        .then((sight) => {
          if (unit === this.looking && this.game?.version === sight.version) this.sight = { ...sight, lines: this.inWords(sight.lines) }
        })
        .catch(() => undefined)
    }, 90)
    return () => clearTimeout(wait)
  }

  /** The ghost of the formation follows the pointer or the cursor until a spot is chosen. */
  follow(place: string): void {
    if (!this.isFree || !this.draft || !this.decision || this.draft.trail.length) return
    const [x, y] = place.split(',').map(Number) as [number, number]
    this.look(answerFor(this.decision, wayTo(this.decision, [], x, y)), 70)
  }

  /** Resting on a counter shows its card beside the table. */
  glance(at: Tap | null): void {
    this.hovered = at
    clearTimeout(this.glancing)
    if (this.decision?.shape === 'place' && this.draft && !this.draft.spot) {
      const spot = at && !at.unit ? this.decision.spots?.find((one) => ground(one.label) === at.place) : undefined
      if (spot) this.look([spot.spot, this.facingFor(spot.facings)], 140)
      else this.forget()
    }
    if (at) this.follow(at.place)
    else if (this.isFree && !this.draft?.trail.length) this.forget()
    if (!at?.unit) this.glanced = ''
    else
      this.glancing = setTimeout(
        () => {
          this.glanced = at.unit ?? ''
        },
        this.glanced ? 60 : 420
      )
  }

  // -- aiming at squares ---------------------------------------------------------------------------------

  /** Squares that weapons can be aimed at, and what would be aimed there at the next tap. */
  readonly aimable = $derived(this.decision && this.draft && this.decision.shape === 'assign' ? aimsAtSquares(this.decision) : new Map<string, Aim[]>())

  nextAim(place: string): Aim | undefined {
    const here = this.aimable.get(place) ?? []
    const now = here.findIndex((one) => this.draft && same(this.draft.aims[one.item] ?? null, one.option.answer))
    return here[(now + 1) % Math.max(1, here.length)]
  }

  /** Every weapon that can be aimed alike is. */
  aimAt(place: string): boolean {
    const aim = this.nextAim(place)
    if (!aim || !this.draft) return false
    for (const one of this.aimable.get(place) ?? []) if (same(one.option.answer, aim.option.answer)) this.draft.aim(one.item, one.option.answer)
    return true
  }
}
