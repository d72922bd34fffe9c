// SHA-256 and HMAC for pages without WebCrypto: browsers keep it from plain http beyond the own machine.

const K = new Uint32Array(64)
const START = new Uint32Array(8)

/** The first 32 bits of the fractional part of a root of a prime. */
const fraction = (value: number): number => ((value - Math.floor(value)) * 4294967296) >>> 0

for (let n = 2, primes = 0; primes < 64; n += 1) {
  let prime = true
  for (let d = 2; d * d <= n; d += 1) if (n % d === 0) prime = false
  if (!prime) continue
  if (primes < 8) START[primes] = fraction(Math.sqrt(n))
  K[primes] = fraction(Math.cbrt(n))
  primes += 1
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

export function sha256(message: Uint8Array): Uint8Array {
  const blocks = ((message.length + 8) >> 6) + 1
  const padded = new Uint8Array(blocks * 64)
  padded.set(message)
  padded[message.length] = 0x80
  const words = new DataView(padded.buffer)
  words.setUint32(padded.length - 8, Math.floor(message.length / 536870912))
  words.setUint32(padded.length - 4, (message.length << 3) >>> 0)
  const state = START.slice()
  const w = new Uint32Array(64)
  for (let block = 0; block < blocks; block += 1) {
    for (let i = 0; i < 16; i += 1) w[i] = words.getUint32(block * 64 + i * 4)
    for (let i = 16; i < 64; i += 1) {
      const [a, b] = [w[i - 15]!, w[i - 2]!]
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)
      w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i += 1) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    ;[a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i]! + word) | 0))
  }
  const digest = new Uint8Array(32)
  const out = new DataView(digest.buffer)
  state.forEach((word, i) => out.setUint32(i * 4, word))
  return digest
}

/** A keyed hash: the key is prepared once, then asked as often as one likes. */
export function hmac(key: Uint8Array): (message: Uint8Array) => Uint8Array {
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? sha256(key) : key)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = block.map((byte) => byte ^ 0x5c)
  const joined = (head: Uint8Array, rest: Uint8Array): Uint8Array => {
    const all = new Uint8Array(head.length + rest.length)
    all.set(head)
    all.set(rest, head.length)
    return all
  }
  return (message) => sha256(joined(outer, sha256(joined(inner, message))))
}
