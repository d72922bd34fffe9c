import { describe, expect, it } from 'vitest'
import type { LogLine } from '../lib/types'
import { commitment, FairDice, sidesOf, verdict, verify } from './verify'

const DUST = ['ARMY', 'ARMY', 'SHIELD', 'SHIELD', 'TARGET', 'TARGET']
const DICE = [
  { name: 'usual', sides: DUST },
  { name: 'cube', sides: ['1', '2', '3', '4', '5', '6'] }
]

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
    const good = await verify(log, DICE, 'SEED', 'SALT', await commitment('SEED'), 2)
    expect(good).toMatchObject({ seedOk: true, wrong: 0, dice: 15, made: 2 })
    expect(verdict(good)).toContain('Every die is proven: all 2 throws, 15 dice')
    const faces = (log[1]!.data as { stages: [string, string[]][] }).stages[0]![1]
    faces[0] = faces[0] === 'ARMY' ? 'TARGET' : 'ARMY'
    expect((await verify(log, DICE, 'SEED', 'SALT', await commitment('SEED'), 2)).wrong).toBe(1)
  })

  it('are found out die by die: one wrong die spoils one throw and no other', async () => {
    const dice = await FairDice.of('SEED', 'SALT')
    const log: LogLine[] = []
    for (let n = 0; n < 12; n += 1) log.push(rolled(n, await dice.faces(DUST, 1, n)))
    const faces = (log[4]!.data as { stages: [string, string[]][] }).stages[0]![1]
    faces[0] = faces[0] === 'SHIELD' ? 'ARMY' : 'SHIELD'
    const proof = await verify(log, DICE, 'SEED', 'SALT', await commitment('SEED'), 12)
    expect(proof.throws.map((one) => one.ok)).toEqual(log.map((_, n) => n !== 4))
  })

  it('that the log does not show are counted, not claimed', async () => {
    const dice = await FairDice.of('SEED', 'SALT')
    const log = [rolled(0, await dice.faces(DUST, 6, 1)), rolled(1, await dice.faces(DUST, 9, 4))]
    const proof = await verify(log, DICE, 'SEED', 'SALT', await commitment('SEED'), 6)
    expect(proof).toMatchObject({ wrong: 0, made: 6 })
    expect(proof.throws.map((one) => one.number)).toEqual([1, 4])
    expect(verdict(proof)).toBe('2 of 6 throws shown with faces: they follow from the seed, and the seed fits its hash.')
    // No more throws may be passed over than there are.
    expect((await verify(log, DICE, 'SEED', 'SALT', await commitment('SEED'), 4)).wrong).toBe(1)
  })

  it('say which they are where a game has several kinds', async () => {
    const dice = await FairDice.of('SEED', 'SALT')
    const line = rolled(0, await dice.faces(DICE[1]!.sides, 12, 0))
    expect((await verify([line], DICE, 'SEED', 'SALT', await commitment('SEED'), 1)).wrong).toBe(1)
    line.data = { ...line.data, die: 'cube' }
    expect((await verify([line], DICE, 'SEED', 'SALT', await commitment('SEED'), 1)).wrong).toBe(0)
  })

  it('drawn from a cup are checked against what the cup held', async () => {
    const dice = await FairDice.of('SEED', 'SALT')
    const cup = [...Array<string>(5).fill('blue'), ...Array<string>(3).fill('red')]
    const face = (await dice.faces(cup, 1, 0))[0]!
    const line = { ...rolled(0, [face]), kind: 'DieDrawn' }
    line.data = { ...line.data, cup: [5, 3], side: face === 'blue' ? 0 : 1 }
    expect(sidesOf(line, [face], DICE).length).toBe(8)
    expect((await verify([line], DICE, 'SEED', 'SALT', await commitment('SEED'), 1)).wrong).toBe(0)
    line.data = { ...line.data, side: face === 'blue' ? 1 : 0, stages: [['roll', [face === 'blue' ? 'red' : 'blue']]] }
    expect((await verify([line], DICE, 'SEED', 'SALT', await commitment('SEED'), 1)).wrong).toBe(1)
  })

  it('are proven without WebCrypto just as well', async () => {
    const dice = await FairDice.of('SEED', 'SALT', false)
    const log = [rolled(0, await dice.faces(DUST, 40, 0))]
    expect(await commitment('SEED', false)).toBe(await commitment('SEED', true))
    expect((await verify(log, DICE, 'SEED', 'SALT', await commitment('SEED'), 1, undefined, true)).wrong).toBe(0)
    expect((await verify(log, DICE, 'SEED', 'SALT', await commitment('SEED'), 1, undefined, false)).wrong).toBe(0)
  })

  it('do not fit another promise', async () => {
    expect((await verify([], DICE, 'SEED', 'SALT', await commitment('OTHER'), 0)).seedOk).toBe(false)
  })
})
