import { describe, expect, it } from 'vitest'
import { invitation, isLoopback } from './invite'

const here = { hostname: '127.0.0.1', origin: 'http://127.0.0.1:8047' }
const reach = { open: true, origins: ['http://192.168.1.5:8047'], command: '' }

describe('the link for a friend', () => {
  it('knows the names of this machine', () => {
    expect(['localhost', '127.0.0.1', '127.1.2.3', '[::1]', 'play.localhost'].every(isLoopback)).toBe(true)
    expect(['192.168.1.5', 'games.example', '10.0.0.1'].some(isLoopback)).toBe(false)
  })

  it('is the address of the page, where that is no loopback address', () => {
    const place = { hostname: 'games.example', origin: 'https://games.example' }
    expect(invitation(place, reach, '/battle/1#a')).toEqual({ address: 'https://games.example/battle/1#a', works: 'everywhere' })
  })

  it('is the address in the network, where the server listens to it', () => {
    expect(invitation(here, reach, '/battle/1#a')).toEqual({ address: 'http://192.168.1.5:8047/battle/1#a', works: 'network' })
  })

  it('says that it works here only, where the server listens to nobody else', () => {
    expect(invitation(here, { ...reach, open: false }, '/battle/1#a').works).toBe('here')
    expect(invitation(here, { ...reach, origins: [] }, '/battle/1#a').works).toBe('here')
    expect(invitation(here, null, '/battle/1#a').works).toBe('here')
  })
})
