// Fair dice, checked in the browser: every throw is HMAC-SHA-256 of (seed, salt, number of the throw), and the
// seed's SHA-256 was published before the first die fell.

import type { LogLine } from '../lib/types'

const TAG = 'dieselfront-dice-1'
const DUST = ['ARMY', 'ARMY', 'SHIELD', 'SHIELD', 'TARGET', 'TARGET']
const SIX = ['1', '2', '3', '4', '5', '6']
/** With six-sided dice some throws are told as events of their own (a draw, a test): so far ahead one is looked for. */
const AHEAD = 64

const text = new TextEncoder()
const hex = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export async function commitment(seed: string): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', text.encode(seed)))
}

export class FairDice {
  private constructor(
    private readonly key: CryptoKey,
    private readonly salt: string
  ) {}

  static async of(seed: string, salt: string): Promise<FairDice> {
    const key = await crypto.subtle.importKey('raw', text.encode(seed), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    return new FairDice(key, salt)
  }

  /** The faces of throw `number`: the hash read byte by byte, bytes that would favour a side thrown away. */
  async faces(sides: readonly string[], count: number, number: number): Promise<string[]> {
    const fair = 256 - (256 % sides.length)
    const found: string[] = []
    for (let block = 0; ; block += 1) {
      const message = text.encode(`${TAG}|${this.salt}|${number}|${block}`)
      for (const byte of new Uint8Array(await crypto.subtle.sign('HMAC', this.key, message))) {
        if (byte < fair) {
          found.push(sides[byte % sides.length] ?? '')
          if (found.length === count) return found
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
  between: number
}

interface Rolled {
  stages: [string, string[]][]
}

/** Every die of a log against the seed. */
export async function verify(
  log: readonly LogLine[],
  seed: string,
  salt: string,
  promised: string,
  tell: (done: number) => void = () => undefined
): Promise<Proof> {
  const proof: Proof = { seedOk: (await commitment(seed)) === promised, throws: [], dice: 0, wrong: 0, between: 0 }
  const fair = await FairDice.of(seed, salt)
  let next = 0
  for (const line of log) {
    if (line.kind !== 'Rolled') continue
    for (const [stage, faces] of (line.data as unknown as Rolled).stages) {
      const sides = faces.every((face) => DUST.includes(face)) ? DUST : SIX
      const found = await find(fair, sides, faces, next, sides === DUST ? 1 : AHEAD)
      const number = found ?? next
      const ok = found !== null
      if (!ok) proof.wrong += 1
      proof.between += number - next
      proof.dice += faces.length
      proof.throws.push({ line, stage, faces, number, ok })
      next = number + 1
      if (proof.throws.length % 10 === 0) tell(proof.throws.length)
    }
  }
  return proof
}

async function find(fair: FairDice, sides: readonly string[], faces: string[], from: number, ahead: number): Promise<number | null> {
  for (let number = from; number < from + ahead; number += 1) {
    const thrown = await fair.faces(sides, faces.length, number)
    if (thrown.every((face, place) => face === faces[place])) return number
  }
  return null
}
