// A live game: the socket, what it told last, and the choices on their way.

import { ApiError, post } from './api'
import type { Answer, Outgoing, Snapshot } from './types'

export class Battle {
  game = $state.raw<Snapshot | null>(null)
  problem = $state('')
  rule = $state('')
  online = $state(false)
  spectators = $state(0)
  waiting = $state(false)
  ended = false

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
      socket.send(JSON.stringify({ type: 'hello', token: this.token || null }))
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
    const game = this.game
    switch (message.type) {
      case 'snapshot':
        this.game = message
        this.online = true
        this.waiting = false
        break
      case 'update':
        if (game) {
          const { kept, log, since: _, ...changes } = message
          this.game = { ...game, ...changes, type: 'snapshot', log: [...game.log.slice(0, kept), ...log] }
        }
        this.waiting = false
        this.problem = ''
        break
      case 'presence':
        if (game) {
          const seats = game.seats.map((seat) => ({ ...seat, connected: seat.kind === 'computer' || (message.connected[seat.seat] ?? false) }))
          this.game = { ...game, seats }
          this.spectators = message.spectators
        }
        break
      case 'chat':
        if (game) this.game = { ...game, chat: [...game.chat, message.line] }
        break
      case 'offer':
        if (game) this.game = { ...game, offers: message.offers }
        break
      case 'thinking':
        if (game) this.game = { ...game, thinking: message.thinking }
        break
      case 'refused':
        this.waiting = false
        this.problem = message.reason
        this.rule = message.rule ?? ''
        if (message.snapshot) this.game = message.snapshot
        break
    }
  }

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
    this.socket?.close()
  }
}
