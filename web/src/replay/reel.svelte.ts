// A game that can be looked at after any number of choices: one of this server's, or a record brought along.

import { get } from '../lib/api'
import type { Frame, Luck, Story } from '../lib/types'

export type { Frame, Luck, SideLuck, Story } from '../lib/types'

const MOST = 400

export class Reel {
  story = $state.raw<Story | null>(null)
  frame = $state.raw<Frame | null>(null)
  luck = $state.raw<Luck | null>(null)
  problem = $state('')
  at = $state(0)

  private readonly frames = new Map<number, Promise<Frame>>()

  constructor(
    readonly base: string,
    readonly token: string | undefined
  ) {}

  async open(at: number | null): Promise<void> {
    try {
      this.story = await get<Story>(this.base, this.token)
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

  private fetch(at: number): Promise<Frame> {
    let frame = this.frames.get(at)
    if (!frame) {
      frame = get<Frame>(`${this.base}/replay?at=${at}`, this.token)
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
