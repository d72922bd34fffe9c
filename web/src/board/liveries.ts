// How a side looks: a frame of its own shape, an edge of its own pattern, a colour last of all.

export type Frame = 'shield' | 'octagon' | 'hexagon' | 'lozenge' | 'round'

export interface Livery {
  bloc: string
  frame: Frame
  edge: 'plain' | 'double' | 'dashes' | 'dots' | 'ticks'
}

const KNOWN: Record<string, Livery> = {
  allies: { bloc: 'allies', frame: 'round', edge: 'plain' },
  axis: { bloc: 'axis', frame: 'octagon', edge: 'double' },
  ssu: { bloc: 'ssu', frame: 'hexagon', edge: 'dashes' },
  mercenaries: { bloc: 'mercenaries', frame: 'shield', edge: 'ticks' },
  mythos: { bloc: 'mythos', frame: 'lozenge', edge: 'dots' }
}
const SPARE = ['allies', 'ssu', 'axis', 'mercenaries', 'mythos'] // the first is blue and the second red, as reports call them

/** One livery for each side; never the same twice. */
export function liveries(sides: readonly { bloc?: string }[]): Livery[] {
  const taken: string[] = []
  return sides.map((side) => {
    const wanted = (side.bloc ?? '').toLowerCase()
    const name = KNOWN[wanted] && !taken.includes(wanted) ? wanted : SPARE.find((one) => !taken.includes(one))!
    taken.push(name)
    return KNOWN[name]!
  })
}

export const livery = (bloc: string): Livery => KNOWN[bloc.toLowerCase()] ?? KNOWN['allies']!

/** Frames in a square of 86 by 86 round the origin. */
export const FRAMES: Record<Frame, string> = {
  round: 'M-33 -43H33Q43 -43 43 -33V33Q43 43 33 43H-33Q-43 43 -43 33V-33Q-43 -43 -33 -43z',
  octagon: 'M-25 -43H25L43 -25V25L25 43H-25L-43 25V-25z',
  hexagon: 'M-30 -43H30L45 0L30 43H-30L-45 0z',
  shield: 'M-42 -43H42V20Q42 34 0 45Q-42 34 -42 20z',
  lozenge: 'M-36 -43Q0 -36 36 -43Q43 -36 41 0Q43 36 36 43Q0 36 -36 43Q-43 36 -41 0Q-43 -36 -36 -43z'
}
export const INNER: Record<Frame, string> = {
  round: 'M-30 -37H30Q37 -37 37 -30V30Q37 37 30 37H-30Q-37 37 -37 30V-30Q-37 -37 -30 -37z',
  octagon: 'M-22.5 -37H22.5L37 -22.5V22.5L22.5 37H-22.5L-37 22.5V-22.5z',
  hexagon: 'M-26 -37H26L38.5 0L26 37H-26L-38.5 0z',
  shield: 'M-36 -37H36V17Q36 29 0 38.5Q-36 29 -36 17z',
  lozenge: 'M-31 -37Q0 -31 31 -37Q37 -31 35.5 0Q37 31 31 37Q0 31 -31 37Q-37 31 -35.5 0Q-37 -31 -31 -37z'
}

/** What kind of thing a unit is, for its silhouette. */
export type Kind = 'squad' | 'support' | 'hero' | 'walker' | 'tank' | 'wheels' | 'halftrack' | 'aircraft' | 'fort' | 'boat'

export function kindOf(unit: { kind: string; name?: string; locomotion?: string; models_max?: number }): Kind {
  const kind = unit.kind.toLowerCase()
  const legs = (unit.locomotion ?? '').toLowerCase()
  if (!legs && unit.name) {
    if (/walker|mech\b/i.test(unit.name)) return 'walker'
    if (kind !== 'vehicle' && /(gun|mortar|anti-tank|howitzer|rocket).* team|howitzer|cannon/i.test(unit.name)) return 'support'
    if (/^(officer|captain|major|lieutenant)\b/i.test(unit.name)) return 'hero'
  }
  if (kind === 'aircraft' || legs === 'aircraft') return 'aircraft'
  if (kind === 'hero') return 'hero'
  if (kind === 'fortification' || legs === 'immobile') return 'fort'
  if (kind === 'support' || kind === 'artillery' || kind === 'weapons team') return 'support'
  if (legs === 'naval') return 'boat'
  if (legs === 'walker' || kind.includes('walker')) return 'walker'
  if (legs === 'half_tracked') return 'halftrack'
  if (legs === 'wheeled' || kind.includes('armoured car') || kind.includes('transport')) return 'wheels'
  if (kind === 'vehicle' || legs === 'tracked' || kind.includes('tank')) return 'tank'
  return 'squad'
}

/** Words that fit on a counter. */
export function shortName(name: string): string {
  const words = (name.split(' + ')[0] ?? name).replace(/[“”"]/g, '').split(/[\s-]+/).filter((word) => !/^(squad|team|the)$/i.test(word))
  while (words.length > 1 && words.join(' ').length > 13) words.shift()
  return words.join(' ').slice(0, 14)
}
