import { describe, expect, it } from 'vitest'
import { enlargement, partsOf, signature } from './compose'
import { factsOf, heldOf, systemsOf, type Facts } from './facts'
import { HAND_WEAPONS, held } from './weapons'

interface Printed extends Record<string, unknown> {
  id: string
  name: string
  kind: string
}

const FILES = import.meta.glob<{ bloc?: string; nation?: string; cards?: Printed[] }>('../../../../src/dieselfront/rulesets/*/cards/*.json', { eager: true, import: 'default' })
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Every card that is shipped, as the server would tell its facts; games share cards, and each game has its own table. */
function shipped(): Map<string, Facts> {
  const cards = new Map<string, Facts>()
  for (const [path, file] of Object.entries(FILES)) {
    const game = /rulesets\/([^/]+)\//.exec(path)?.[1] ?? ''
    for (const card of file.cards ?? []) cards.set(`${game} ${card.id}`, factsOfPrinted(card, file.bloc ?? file.nation ?? ''))
  }
  return cards
}

function factsOfPrinted(card: Printed, side: string): Facts {
  const skills = ((card['skills'] ?? []) as (string | { name: string })[]).map((one) => (typeof one === 'string' ? one : one.name))
  const joined = skills.join(' ')
  const moves = /Half-Tracked/.test(joined) ? 'half_tracked' : /Tracked/.test(joined) ? 'tracked' : /Wheeled/.test(joined) ? 'wheeled' : /Naval/.test(joined) ? 'naval' : card.kind === 'vehicle' ? 'walker' : ''
  const vehicles = (card['vehicles'] ?? (card['vehicle'] ? [card['vehicle']] : [])) as Record<string, unknown>[]
  const hull = vehicles[0]
  const weapons = ((card['weapons'] ?? []) as { name: string; count?: number; default?: boolean }[]).map((one) => ({ name: one.name, default: one.default ?? true }))
  return factsOf({ name: card.name, kind: card.kind, side, skills, weapons, armour: text(card['armour']) || text(hull?.['class'] ?? hull?.['vehicle_class']), locomotion: text(hull?.['mode']) || moves, models: (card['models'] ?? card['models_max'] ?? (card['soldiers'] as unknown[] | undefined)?.length ?? 5) as number })
}

const CARDS = shipped()

function distinct(small: boolean): { drawings: number; alone: number; most: number } {
  const groups = new Map<string, number>()
  for (const [id, facts] of CARDS) {
    const key = `${id.split(' ')[0]} ${facts.side} ${signature(partsOf(facts, small))}`
    groups.set(key, (groups.get(key) ?? 0) + 1)
  }
  return { drawings: groups.size, alone: [...groups.values()].filter((count) => count === 1).length, most: Math.max(...groups.values()) }
}

describe('silhouettes of all shipped cards', () => {
  it('are composed for every card, of numbers only', () => {
    expect(CARDS.size).toBeGreaterThan(850)
    for (const [id, facts] of CARDS)
      for (const small of [false, true]) {
        const parts = partsOf(facts, small)
        expect(parts.length, id).toBeGreaterThan(0)
        for (const mark of parts.flatMap((one) => one.marks)) expect(`${mark.d} ${mark.at ?? ''}`, id).not.toMatch(/NaN|undefined|Infinity/)
      }
  })
  it('are the same for the same facts', () => {
    for (const facts of CARDS.values()) expect(signature(partsOf(structuredClone(facts)))).toBe(signature(partsOf(facts)))
  })
  it('tell most cards of a side apart, on small counters too', () => {
    const [large, small] = [distinct(false), distinct(true)]
    expect(large.drawings / CARDS.size, JSON.stringify(large)).toBeGreaterThan(LARGE)
    expect(small.drawings / CARDS.size, JSON.stringify(small)).toBeGreaterThan(SMALL)
  })
})

// Measured over 906 cards: 789 different drawings within their sides, 788 on small counters.
const LARGE = 0.86
const SMALL = 0.85

describe('the grammar', () => {
  const squad: Facts = { name: 'Rifle Squad', kind: 'infantry', side: 'Allies', armour: 'S1', locomotion: 'infantry', skills: [], weapons: ['Rifle'], models: 5 }
  const words = (facts: Partial<Facts>, small = false): string => partsOf({ ...squad, ...facts }, small).map((one) => one.name).join('; ')
  it('reads hull, legs, tracks, turret and gun', () => {
    expect(words({ kind: 'vehicle', armour: 'V5', locomotion: 'tracked', weapons: ['Heavy AT Gun'] })).toBe('tank 2 turret; gun 4 ×1')
    expect(words({ kind: 'vehicle', armour: 'V6', locomotion: 'walker', weapons: ['Dual Heavy Phaser Gun'] })).toContain('walker 3 4 legs; phaser 4 ×2')
    expect(words({ kind: 'vehicle', armour: 'Medium Tank', locomotion: 'tracked', weapons: ['Hull-Mounted Forward-Facing Heavy AT Gun'] })).toContain('tank 2 casemate')
    expect(words({ kind: 'vehicle', armour: 'V2', locomotion: 'half_tracked', skills: ['Passengers (6)'], weapons: ['Machine Gun'] })).toContain('half-track 1; passengers')
  })
  it('reads flames, coils, lasers, rockets, rotors and badges', () => {
    expect(words({ kind: 'vehicle', armour: 'V4', locomotion: 'walker', weapons: ['Flamethrower', 'Machine Gun'] })).toContain('flame 3 ×1')
    expect(words({ kind: 'vehicle', armour: 'V4', locomotion: 'walker', weapons: ['Tesla Gun'] })).toContain('tesla 3 ×1')
    expect(words({ kind: 'aircraft', armour: 'A2', skills: ['Helicopter'], weapons: ['Rocket Pod'] })).toBe('helicopter')
    expect(words({ skills: ['Medic'] })).toContain('badge medic')
    expect(words({ kind: 'hero', models: 1 })).toContain('star')
  })
  it('shows the second weapon of a squad, kneeling or alone on small counters', () => {
    expect(words({ weapons: ['Rifle', 'Bazooka'] })).toContain('kneeling rifle')
    expect(words({ weapons: ['Rifle', 'Bazooka'] }, true)).toContain('second rifle')
  })
  it('lets odd weapons outrank guns, and guns machine guns', () => {
    expect(systemsOf(['Machine Gun', 'Medium AT Gun', 'Tesla Coil']).map((one) => one.kind)).toEqual(['tesla', 'gun', 'mg'])
    expect(heldOf(['Rifle', 'Panzerschreck']).map((one) => one.kind)).toEqual(['bazooka', 'rifle'])
  })
  it('draws every weapon for hands', () => {
    for (const kind of HAND_WEAPONS) expect(held({ kind, count: 1 }).length, kind).toBeGreaterThan(0)
  })
  it('takes a unit on the table as it takes its card', () => {
    const unit = { name: 'Rifle Squad 2', kind: 'infantry', side: 0, armour: 'S1', locomotion: 'infantry', models: [{}, {}], models_max: 5, parts: [{ role: 'main', skills: [], weapons: [{ name: 'Rifle' }] }] }
    expect(signature(partsOf(factsOf(unit, 'Allies')))).toBe(signature(partsOf(squad)))
  })
  it('enlarges men more than the heaviest hulls', () => {
    expect(enlargement(partsOf(squad, true)).size).toBeGreaterThan(enlargement(partsOf({ ...squad, kind: 'vehicle', armour: 'V7', locomotion: 'tracked', weapons: [] }, true)).size)
  })
})
