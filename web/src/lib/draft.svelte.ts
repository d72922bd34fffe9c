// An answer in the making: what has been chosen so far of a decision that needs more than one press.

import { worth } from './choices'
import type { Answer, Decision, Option, OptionsOdds, Spot } from './types'

export const same = (one: Answer, other: Answer): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The units that an option is about: those who would act, if the decision asks who; else those it is done to. */
export function unitsOf(option: Option, decision: Decision): readonly string[] {
  const { unit, targets } = option.about
  return unit && unit !== decision.unit ? [unit] : (targets ?? [])
}

/** The squares that an option is about. */
export const squaresOf = (option: Option): string[] => (option.about.places ?? []).filter((place): place is string => typeof place === 'string')

/** An item that can be aimed at a square, with the squares that the aim covers. */
export interface Aim {
  item: number
  option: Option
  squares: string[]
}

/** For every square what can be aimed at it, of a decision that assigns weapons. */
export function aimsAtSquares(decision: Decision): Map<string, Aim[]> {
  const aims = new Map<string, Aim[]>()
  ;(decision.items ?? []).forEach((one, item) => {
    for (const option of one.options) {
      const squares = option.about.targets?.length ? [] : squaresOf(option)
      const first = squares[0]?.split('+')[0]
      if (first) aims.set(first, [...(aims.get(first) ?? []), { item, option, squares: [...new Set(squares)] }])
    }
  })
  return aims
}

/** Where so many must be chosen and it hardly matters which, the first that are alike are chosen to begin with; leaders never. */
export function presetOf(decision: Decision): number[] {
  const { options = [], least = 0, most = 0 } = decision
  if (!least || least !== most) return []
  const counts = new Map<string, number[]>()
  options.forEach((option, i) => {
    if (!option.about.careless) counts.set(option.label, [...(counts.get(option.label) ?? []), i])
  })
  const commonest = [...counts.values()].sort((one, other) => other.length - one.length)[0] ?? []
  return commonest.length > 1 && commonest.length >= least ? commonest.slice(-least) : []
}

export class Draft {
  spot = $state.raw<Spot | null>(null)
  some = $state.raw<number[]>([])
  aims = $state.raw<Answer[]>([])
  amount = $state(0)
  faces = $state.raw<string[]>([])
  trail = $state.raw<number[][]>([])
  pointed = $state.raw<Option | null>(null)

  /** Has anybody chosen anything yet? */
  private touched = false

  constructor(readonly decision: Decision) {
    this.amount = decision.least ?? 0
    if (decision.shape === 'pick-some') this.some = presetOf(decision)
    const start = decision.default
    if (decision.shape === 'assign') {
      const items = decision.items ?? []
      this.aims = items.map((item, i) => {
        const wanted = Array.isArray(start) ? start[i] : undefined
        return wanted !== undefined ? wanted : (item.options[0]?.answer ?? null)
      })
      // With a single target everything is aimed at it to begin with.
      const targets = new Set(items.flatMap((item) => item.options.flatMap((option) => option.about.targets ?? [])))
      if (targets.size === 1) this.aimAll([...targets][0]!)
      this.touched = false
    }
  }

  /** To begin with, everything is aimed where it does most; nobody means to hold fire with targets in sight. */
  propose(odds: OptionsOdds): void {
    if (this.decision.shape !== 'assign' || this.touched) return
    const best = [...odds.targets].sort((one, other) => worth(other.odds) - worth(one.odds))[0]
    if (best && Array.isArray(best.answer)) this.aims = best.answer
    else if (!best && this.targets.length) this.hold()
  }

  /** A whole assignment at once. */
  take(aims: Answer[]): void {
    this.touched = true
    this.aims = aims
  }

  /** Put an answer together that somebody else found; whoever decides may still change it. */
  show(answer: Answer): void {
    const { options, spots, shape } = this.decision
    if (shape === 'assign' && Array.isArray(answer)) this.take(answer)
    else if (shape === 'number') this.amount = Number(answer)
    else if (shape === 'pick-one') this.pointed = options?.find((one) => same(one.answer, answer)) ?? null
    else if (!Array.isArray(answer)) return
    else if (shape === 'pick-some') this.some = (options ?? []).flatMap((one, i) => (answer.some((part) => same(part, one.answer)) ? [i] : []))
    else if (shape === 'place') this.spot = spots?.find((one) => same(one.spot, answer[0] ?? null)) ?? null
    else if (shape === 'path') this.trail = answer as number[][]
    else if (shape === 'place-free') this.trail = [answer as number[]]
  }

  /** The answer as it stands, or undefined while something is missing. */
  get answer(): Answer | undefined {
    const { decision } = this
    switch (decision.shape) {
      case 'pick-some': {
        const enough = this.some.length >= (decision.least ?? 0) && this.some.length <= (decision.most ?? Infinity)
        return enough ? [...this.some].sort((a, b) => a - b).map((i) => decision.options![i]!.answer) : undefined
      }
      case 'assign':
        return this.aims
      case 'number':
        return this.amount
      case 'place':
        return this.spot && this.spot.facings.length === 1 ? [this.spot.spot, this.spot.facings[0]!] : undefined
      case 'place-free':
        return this.trail[this.trail.length - 1]
      case 'path':
        return this.trail.length ? this.trail : undefined
      case 'dice':
        return this.faces.length === (decision.count ?? 0) ? this.faces : undefined
      default:
        return undefined
    }
  }

  toggle(i: number): void {
    this.some = this.some.includes(i) ? this.some.filter((one) => one !== i) : [...this.some, i]
  }

  aim(i: number, answer: Answer): void {
    this.touched = true
    this.aims = this.aims.map((one, k) => (k === i ? answer : one))
  }

  /** Everything that can be aimed at a unit is. */
  aimAll(unit: string): void {
    this.touched = true
    const items = this.decision.items ?? []
    this.aims = this.aims.map((one, i) => {
      const aimed = items[i]!.options.find((option) => option.about.targets?.includes(unit))
      return aimed ? aimed.answer : one
    })
  }

  /** The units that the assignment as it stands is aimed at. */
  get targets(): string[] {
    const items = this.decision.items ?? []
    return [...new Set(this.aims.flatMap((aim, i) => items[i]?.options.find((option) => same(option.answer, aim))?.about.targets ?? []))]
  }

  hold(): void {
    const items = this.decision.items ?? []
    this.aims = this.aims.map((one, i) => (items[i]!.options.some((option) => option.answer === null) ? null : one))
  }
}
