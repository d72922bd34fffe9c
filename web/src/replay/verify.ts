// Fair dice, checked in the browser: every throw is HMAC-SHA-256 of (seed, salt, number of the throw), and the
// seed's SHA-256 was published before the first die fell.

import { hmac, sha256 } from '../lib/sha256'
import type { DieKind } from '../lib/api-types'
import type { LogLine } from '../lib/types'

const TAG = 'dieselfront-dice-1'

const text = new TextEncoder()
const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
type Sign = (message: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>

/** WebCrypto where the browser grants it, else our own. */
export const hasWebCrypto = (): boolean => typeof globalThis.crypto?.subtle?.digest === 'function'

export async function commitment(seed: string, native = hasWebCrypto()): Promise<string> {
  const message = text.encode(seed)
  return hex(native ? new Uint8Array(await crypto.subtle.digest('SHA-256', message)) : sha256(message))
}

async function signer(seed: string, native: boolean): Promise<Sign> {
  if (!native) return hmac(text.encode(seed))
  const key = await crypto.subtle.importKey('raw', text.encode(seed), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return async (message) => new Uint8Array(await crypto.subtle.sign('HMAC', key, message))
}

export class FairDice {
  private constructor(
    private readonly sign: Sign,
    private readonly salt: string
  ) {}

  static async of(seed: string, salt: string, native = hasWebCrypto()): Promise<FairDice> {
    return new FairDice(await signer(seed, native), salt)
  }

  /** The faces of throw `number`: the hash read byte by byte, bytes that would favour a side thrown away. */
  async faces(sides: readonly string[], count: number, number: number): Promise<string[]> {
    const fair = 256 - (256 % sides.length)
    const thrown: string[] = []
    for (let block = 0; ; block += 1) {
      const message = text.encode(`${TAG}|${this.salt}|${number}|${block}`)
      for (const byte of await this.sign(message)) {
        if (byte < fair) {
          thrown.push(sides[byte % sides.length] ?? '')
          if (thrown.length === count) return thrown
        }
      }
    }
  }
}

export interface Checked {
  line: LogLine
  stage: string
  faces: string[]
  number: number
  ok: boolean
}

export interface Proof {
  seedOk: boolean
  throws: Checked[]
  dice: number
  wrong: number
  /** How many throws the game made, whether the log shows their faces or not. */
  made: number
}

/** The throws that a line of the log shows with their faces. */
export function stagesOf(line: LogLine): [string, string[]][] {
  const stages = line.data['stages']
  return Array.isArray(stages) ? (stages as [string, string[]][]).filter(([, faces]) => faces.length > 0) : []
}

/**
 * What stands on the sides of the dice of a line: a line names its die unless it is the game's usual one, the first of
 * `dice`. A cup holds so many order dice of each side.
 */
export function sidesOf(line: LogLine, faces: readonly string[], dice: readonly DieKind[]): readonly string[] {
  const cup = line.data['cup']
  if (Array.isArray(cup)) {
    const drawn = Number(line.data['side'])
    return cup.flatMap((dice, side) => Array<string>(Number(dice)).fill(side === drawn ? (faces[0] ?? '') : `other ${side}`))
  }
  return (dice.find((die) => die.name === line.data['die']) ?? dice[0])?.sides ?? []
}

/**
 * Every die of a log against the seed. `made` is how many throws the game made: if the log shows them all, each must
 * stand in its own place; throws without faces are passed over, never more than there are.
 */
export async function verify(
  log: readonly LogLine[],
  dice: readonly DieKind[],
  seed: string,
  salt: string,
  promised: string,
  made: number,
  tell: (done: number) => void = () => undefined,
  native = hasWebCrypto()
): Promise<Proof> {
  const shown = log.reduce((sum, line) => sum + stagesOf(line).length, 0)
  const proof: Proof = { seedOk: (await commitment(seed, native)) === promised, throws: [], dice: 0, wrong: 0, made: Math.max(made, shown) }
  const fair = await FairDice.of(seed, salt, native)
  let next = 0
  let hidden = proof.made - shown
  for (const line of log) {
    for (const [stage, faces] of stagesOf(line)) {
      const proven = await find(fair, sidesOf(line, faces, dice), faces, next, hidden + 1)
      const number = proven ?? next
      if (proven === null) proof.wrong += 1
      hidden -= number - next
      proof.dice += faces.length
      proof.throws.push({ line, stage, faces, number, ok: proven !== null })
      next = number + 1
      if (proof.throws.length % 10 === 0) tell(proof.throws.length)
    }
  }
  return proof
}

async function find(fair: FairDice, sides: readonly string[], faces: string[], from: number, ahead: number): Promise<number | null> {
  if (!sides.length) return null
  for (let number = from; number < from + ahead; number += 1) {
    const thrown = await fair.faces(sides, faces.length, number)
    if (thrown.every((face, place) => face === faces[place])) return number
  }
  return null
}

/** What has been proven, and no more than that. */
export function verdict(proof: Proof): string {
  const shown = proof.throws.length
  if (!proof.seedOk) return 'The seed does not fit the published hash: these dice prove nothing.'
  if (proof.wrong) return `${proof.wrong} of the ${shown} throws shown with faces do not follow from the seed.`
  if (!proof.made) return 'The seed fits its hash. No die fell in this game.'
  if (shown === proof.made) return `Every die is proven: all ${proof.made} throws, ${proof.dice} dice, fall as shown, and the seed fits its hash.`
  return `${shown} of ${proof.made} throws shown with faces: they follow from the seed, and the seed fits its hash.`
}
