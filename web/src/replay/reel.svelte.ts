// A game that can be looked at after any number of choices: one of this server's, or a record brought along.

import { ApiError, get } from '../lib/api'
import { asSaid, readable, sayer } from '../lib/readable'
import type { Review } from '../lib/api-types'
import type { Frame, Luck, Story } from '../lib/types'

export type { Frame, Luck, SideLuck, Story } from '../lib/types'

const MOST = 400
/** How long to wait before asking how far a review has come. */
const REVIEW_STEP = 1200

/** A server that has its hands full is asked again. */
function waitIfBusy(error: unknown): null {
  if (error instanceof ApiError && (error.status === 429 || error.status === 503)) return null
  throw error
}

/** A moment with names that tell units apart, and everything said about it. */
function inWords(frame: Frame): Frame {
  const say = sayer(frame.view)
  const { view, log } = readable({ view: frame.view, log: frame.log }, say)
  return { ...frame, view, log, decision: frame.decision && { ...frame.decision, text: say(frame.decision.text) } }
}

export class Reel {
  story = $state.raw<Story | null>(null)
  frame = $state.raw<Frame | null>(null)
  luck = $state.raw<Luck | null>(null)
  review = $state.raw<Review | null>(null)
  problem = $state('')
  private closed = false
  private reviewing = false
  at = $state(0)

  private readonly frames = new Map<number, Promise<Frame>>()

  constructor(
    readonly base: string,
    readonly token: string | undefined
  ) {}

  async open(at: number | null): Promise<void> {
    try {
      const story = await get<Story>(this.base, this.token)
      this.story = readable(story, sayer(story.view))
      await this.go(Math.min(at ?? 0, this.story.choices))
    } catch (error) {
      this.tell(error)
    }
  }

  /** Show a moment; only the last one asked for counts. */
  async go(at: number): Promise<void> {
    const last = this.story?.choices ?? 0
    this.at = Math.max(0, Math.min(last, at))
    const wanted = this.at
    try {
      const frame = await this.fetch(wanted)
      if (wanted === this.at) this.frame = frame
      for (const next of [wanted + 1, wanted + 2]) if (next <= last) void this.fetch(next).catch(() => undefined)
    } catch (error) {
      this.tell(error)
    }
  }

  async askLuck(): Promise<void> {
    try {
      this.luck ??= await get<Luck>(`${this.base}/luck`, this.token)
    } catch (error) {
      this.tell(error)
    }
  }

  /** Have the game reviewed; what is there so far is shown while the rest is worked out. */
  async askReview(): Promise<void> {
    if (this.reviewing || this.review?.ready) return
    this.reviewing = true
    try {
      while (!this.closed && !this.review?.ready) {
        const review = await get<Review>(`${this.base}/review`, this.token).catch(waitIfBusy)
        if (review) this.review = this.inWords(review)
        if (!this.review?.ready) await new Promise((done) => setTimeout(done, REVIEW_STEP))
      }
    } catch (error) {
      this.tell(error)
    }
    this.reviewing = false
  }

  /** Units that share a name carry the same numbers as on the table. */
  private inWords(review: Review): Review {
    const say = this.story ? sayer(this.story.view) : asSaid
    return {
      ...review,
      moments: review.moments.map((one) => ({ ...one, text: say(one.text) })),
      activations: review.activations.map((one) => ({ ...one, instead: say(one.instead) }))
    }
  }

  close(): void {
    this.closed = true
  }

  private fetch(at: number): Promise<Frame> {
    let frame = this.frames.get(at)
    if (!frame) {
      frame = get<Frame>(`${this.base}/replay?at=${at}`, this.token).then(inWords)
      frame.catch(() => this.frames.delete(at))
      this.frames.set(at, frame)
      if (this.frames.size > MOST) this.frames.delete(this.frames.keys().next().value!)
    }
    return frame
  }

  private tell(error: unknown): void {
    this.problem = error instanceof Error ? error.message : 'The replay cannot be shown.'
  }
}
