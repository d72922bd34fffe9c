import { describe, expect, it } from 'vitest'
import type { Decision } from './types'
import { wayTo } from './ways'

const foot = { shape: 'path', region: { kind: 'foot', start: [100, 100], reach: 1000, spots: [] } } as unknown as Decision
const drive = { shape: 'path', region: { kind: 'drive', start: [100, 100, 0], reach: 1000, back: 500, spots: [] } } as unknown as Decision

describe('from a point to a way', () => {
  it('goes as far as the move goes and no further', () => {
    expect(wayTo(foot, [], 100, 150)).toEqual([[100, 150]])
    expect(wayTo(foot, [], 100, 900)).toEqual([[100, 199]])
  })
  it('counts what the way so far has cost', () => {
    expect(wayTo(foot, [[160, 100]], 160, 400)).toEqual([[160, 100], [160, 139]])
  })
  it('turns a vehicle before it drives, and backs it straight away', () => {
    expect(wayTo(drive, [], 100, 60)).toEqual([[100, 60, 0]])
    expect(wayTo(drive, [], 150, 100)).toEqual([[100, 100, 90], [150, 100, 90]])
    expect(wayTo(drive, [], 100, 300)).toEqual([[100, 149, 0]])
  })
})
