import { describe, expect, it } from 'vitest'
import type { LogLine } from '../lib/types'
import { commitment, FairDice, verify } from './verify'

const DUST = ['ARMY', 'ARMY', 'SHIELD', 'SHIELD', 'TARGET', 'TARGET']

function rolled(n: number, faces: string[]): LogLine {
  return { n, rule: '', kind: 'Rolled', text: '', choice: 0, data: { stages: [['roll', faces]] } }
}

describe('fair dice', () => {
  it('fall as the server throws them', async () => {
    const dice = await FairDice.of('SEED', 'SALT')
    expect(await dice.faces(DUST, 8, 0)).toEqual(['SHIELD', 'TARGET', 'SHIELD', 'TARGET', 'ARMY', 'ARMY', 'SHIELD', 'SHIELD'])
    expect(await dice.faces(['1', '2', '3', '4', '5', '6'], 40, 3)).toEqual('2151526414424213533423254324253316121361'.split(''))
  })

  it('are proven from the seed, and a changed die is found', async () => {
    const dice = await FairDice.of('SEED', 'SALT')
    const log = [rolled(0, await dice.faces(DUST, 6, 0)), rolled(1, await dice.faces(DUST, 9, 1))]
    const good = await verify(log, 'SEED', 'SALT', await commitment('SEED'))
    expect(good).toMatchObject({ seedOk: true, wrong: 0, dice: 15, between: 0 })
    const faces = (log[1]!.data as { stages: [string, string[]][] }).stages[0]![1]
    faces[0] = faces[0] === 'ARMY' ? 'TARGET' : 'ARMY'
    expect((await verify(log, 'SEED', 'SALT', await commitment('SEED'))).wrong).toBe(1)
  })

  it('are found out die by die: one wrong die spoils one throw and no other', async () => {
    const dice = await FairDice.of('SEED', 'SALT')
    const log: LogLine[] = []
    for (let n = 0; n < 12; n += 1) log.push(rolled(n, await dice.faces(DUST, 1, n)))
    const faces = (log[4]!.data as { stages: [string, string[]][] }).stages[0]![1]
    faces[0] = faces[0] === 'SHIELD' ? 'ARMY' : 'SHIELD'
    const proof = await verify(log, 'SEED', 'SALT', await commitment('SEED'))
    expect(proof.throws.map((one) => one.ok)).toEqual(log.map((_, n) => n !== 4))
  })

  it('do not fit another promise', async () => {
    expect((await verify([], 'SEED', 'SALT', await commitment('OTHER'))).seedOk).toBe(false)
  })
})
