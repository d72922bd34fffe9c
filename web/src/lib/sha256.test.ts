import { describe, expect, it } from 'vitest'
import { scatter } from './places'
import { hmac, sha256 } from './sha256'

const bytes = (seed: number, length: number): Uint8Array<ArrayBuffer> => Uint8Array.from(scatter(seed, length), (part) => Math.floor(part * 256))

describe('our own SHA-256', () => {
  it('hashes messages of every length as WebCrypto does', async () => {
    for (let length = 0; length < 200; length += 1) {
      const message = bytes(length + 1, length)
      expect(sha256(message)).toEqual(new Uint8Array(await crypto.subtle.digest('SHA-256', message)))
    }
  })

  it('knows the hash of nothing', () => {
    const hex = [...sha256(new Uint8Array())].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    expect(hex).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  it('signs with keys short and long as WebCrypto does', async () => {
    for (const length of [1, 20, 63, 64, 65, 150]) {
      const key = bytes(length, length)
      const wanted = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
      const sign = hmac(key)
      for (const size of [0, 1, 55, 56, 64, 119, 120, 300]) {
        const message = bytes(size + 7, size)
        expect(sign(message)).toEqual(new Uint8Array(await crypto.subtle.sign('HMAC', wanted, message)))
      }
    }
  })
})
