// A live game: the socket, what it sent last, and the choices on their way. What is shown waits for the dice on screen.

import { latestThrows } from '../battle/throws'
import { ApiError, post } from './api'
import { deviceKey } from './device'
import { asSaid, lines, readable, sayer, type Sayer } from './readable'
import { settings } from './settings.svelte'
import { fallTime } from './timing'
import { tracesOf, type Trace } from './traces'
import type { Answer, LogLine, Outgoing, Snapshot } from './types'

/** So many positions may wait for dice; then the table catches up. */
const MOST_WAITING = 4
/** Who watches two computers has time to see each of their steps. */
const WATCHING = 900

export class Battle {
  /** The game as it is shown. */
  game = $state.raw<Snapshot | null>(null)
  /** The report as far as the dice tray knows it: dice fall before the table shows what they did. */
  thrown = $state.raw<readonly LogLine[]>([])
  /** Shots with the places they were fired from. */
  traces = $state.raw<Trace[]>([])
  problem = $state('')
  rule = $state('')
  online = $state(false)
  spectators = $state(0)
  waiting = $state(false)
  /** Something a computer did waits for a press: whoever wishes sees its turn step by step. */
  held = $state(false)
  ended = false
  /** Puts what the server says about the position into readers' words. */
  inWords: Sayer = asSaid

  private latest: Snapshot | null = null
  private queue: Snapshot[] = []
  private falling: ReturnType<typeof setTimeout> | undefined
  private socket: WebSocket | null = null
  private tries = 0
  private sent = 0

  constructor(
    readonly id: string,
    readonly token: string
  ) {
    this.open()
  }

  private open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.id}/live`)
    this.socket = socket
    socket.onopen = () => {
      this.tries = 0
      socket.send(JSON.stringify({ type: 'hello', token: this.token || deviceKey() || null }))
    }
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Outgoing)
    socket.onclose = (event) => {
      this.online = false
      this.waiting = false
      if (this.ended) return
      if (event.code === 4403 || event.code === 4404) {
        this.problem = event.code === 4404 ? 'There is no such game.' : 'This link does not open a seat of this game.'
        return
      }
      this.tries += 1
      setTimeout(() => this.open(), Math.min(8000, 250 * 2 ** Math.min(this.tries, 5)))
    }
  }

  private hear(message: Outgoing): void {
    const game = this.latest
    switch (message.type) {
      case 'snapshot':
        this.inWords = sayer(message.view)
        this.showNow(readable(message, this.inWords))
        this.online = true
        break
      case 'update':
        if (game) {
          const { kept, log, since: _, ...changes } = message
          const say = (this.inWords = sayer(changes.view))
          this.showLater({ ...game, ...readable(changes, say), type: 'snapshot', log: [...game.log.slice(0, kept), ...lines(log, say)] }, kept)
        }
        this.problem = ''
        break
      case 'presence':
        this.spectators = message.spectators
        this.amend((one) => ({ ...one, seats: one.seats.map((seat) => ({ ...seat, connected: seat.kind === 'computer' || (message.connected[seat.seat] ?? false) })) }))
        break
      case 'chat':
        this.amend((one) => ({ ...one, chat: [...one.chat, message.line] }))
        break
      case 'offer':
        this.amend((one) => ({ ...one, offers: message.offers }))
        break
      case 'thinking':
        this.amend((one) => ({ ...one, thinking: message.thinking }))
        break
      case 'refused':
        this.waiting = false
        this.problem = message.reason
        this.rule = message.rule ?? ''
        if (message.snapshot) this.showNow(readable(message.snapshot, sayer(message.snapshot.view)))
        break
    }
  }

  // -- what is shown, and when -----------------------------------------------------------------------

  private showNow(game: Snapshot): void {
    clearTimeout(this.falling)
    this.falling = undefined
    this.queue = []
    this.held = false
    this.latest = this.game = game
    this.thrown = game.log
    this.waiting = false
  }

  /** A new position is shown once the dice that led to it have fallen. */
  private showLater(game: Snapshot, kept: number): void {
    this.traces = [...this.traces.filter((one) => one.n < kept || one.n < game.log.length - 60), ...tracesOf(game.log.slice(kept), this.latest?.view ?? game.view, game.view)]
    this.latest = game
    this.queue.push(game)
    if (this.falling === undefined && !this.held) this.next()
  }

  /** Go on after a step of the computer. */
  step(): void {
    if (!this.held) return
    this.held = false
    this.next(true)
  }

  private next(pressed = false): void {
    this.falling = undefined
    const game = this.queue[0]
    if (!game) return
    const fresh = game.log.slice(this.thrown.length)
    if (!pressed && fresh.length && this.isStep()) {
      this.held = true
      return
    }
    const watching = fresh.length > 0 && this.isWatched(game)
    const late = document.hidden || (this.queue.length > MOST_WAITING && settings.computers === 'flow' && !watching)
    const dice = latestThrows(fresh)
    const wait = late ? 0 : Math.max(watching ? WATCHING : 0, fallTime(dice, settings.dice))
    this.thrown = game.log
    if (settings.sound && !late) void import('./sound').then(({ hear }) => hear(fresh, dice.length, game))
    const show = (): void => {
      this.queue.shift()
      this.game = game
      if (this.queue.length) this.next()
      else {
        this.falling = undefined
        this.waiting = false
      }
    }
    if (wait) this.falling = setTimeout(show, wait)
    else show()
  }

  /** Is what comes next something that a computer did, to be seen step by step? */
  private isStep(): boolean {
    const player = this.game?.decision?.player
    return settings.computers === 'step' && !document.hidden && player !== undefined && this.game?.seats[player]?.kind === 'computer'
  }

  private isWatched(game: Snapshot): boolean {
    return game.you === null && game.seats.every((seat) => seat.kind === 'computer')
  }

  /** A change that is no move of the game: everything shown, waiting and known has it at once. */
  private amend(change: (game: Snapshot) => Snapshot): void {
    if (this.latest) this.latest = change(this.latest)
    this.queue = this.queue.map(change)
    if (this.game) this.game = this.queue.length ? change(this.game) : this.latest
  }

  // -- what is sent -------------------------------------------------------------------------------------

  choose(answer: Answer): void {
    if (!this.game || this.waiting) return
    if (this.socket?.readyState !== WebSocket.OPEN) {
      this.problem = 'The connection is lost; it comes back by itself. Then choose again.'
      return
    }
    this.problem = ''
    this.rule = ''
    this.waiting = true
    this.sent += 1
    const choice = { type: 'choose', decision: this.game.version, answer, id: this.sent }
    this.socket.send(JSON.stringify(choice))
  }

  say(text: string): void {
    this.socket?.send(JSON.stringify({ type: 'chat', text }))
  }

  /** Undo, take-back, draw, concede: everything that is not a choice. */
  async ask(what: 'undo' | 'takeback' | 'draw' | 'concede', body: unknown = {}): Promise<void> {
    this.problem = ''
    this.rule = ''
    try {
      await post(`/games/${this.id}/${what}`, body, this.token)
    } catch (error) {
      this.problem = error instanceof Error ? error.message : 'That is not possible now.'
      if (error instanceof ApiError) this.rule = error.rule ?? ''
    }
  }

  close(): void {
    this.ended = true
    clearTimeout(this.falling)
    this.socket?.close()
  }
}
