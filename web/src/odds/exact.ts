// Exact odds of plain dice, worked out in the browser: hits, saves, losses. Needs no server.

export interface Bare {
  dice: number
  hit: number
  save: number
  damage: number
  left: number
}

/** The chances of 0..n successes of n dice. */
export function binomial(n: number, chance: number): number[] {
  let row = [1]
  for (let die = 0; die < n; die += 1) {
    const next = new Array<number>(row.length + 1).fill(0)
    row.forEach((p, k) => {
      next[k] = (next[k] ?? 0) + p * (1 - chance)
      next[k + 1] = (next[k + 1] ?? 0) + p * chance
    })
    row = next
  }
  return row
}

/** Chances by number, of hits, and of losses of a target with so much left. */
export function bare({ dice, hit, save, damage, left }: Bare): { hits: number[]; losses: number[] } {
  const hits = binomial(dice, hit)
  const through = binomial(dice, hit * (1 - save))
  const losses = new Array<number>(left + 1).fill(0)
  through.forEach((p, n) => {
    const lost = Math.min(left, n * damage)
    losses[lost] = (losses[lost] ?? 0) + p
  })
  return { hits, losses }
}

export const mean = (chances: number[]): number => chances.reduce((sum, p, n) => sum + p * n, 0)

/** The chance of n or more. */
export const atLeast = (chances: number[], n: number): number => chances.slice(n).reduce((sum, p) => sum + p, 0)

/** {"0": p, "1": p} as a list without its negligible end. */
export function listed(chances: Record<string, number>): number[] {
  const list: number[] = []
  for (const [n, p] of Object.entries(chances)) list[Number(n)] = p
  for (let n = 0; n < list.length; n += 1) list[n] ??= 0
  while (list.length > 1 && (list.at(-1) ?? 0) < 5e-5) list.pop()
  return list
}

export function percent(chance: number): string {
  if (chance <= 0) return '0 %'
  if (chance >= 1) return '100 %'
  if (chance < 0.0005) return '< 0.1 %'
  if (chance > 0.9995) return '> 99.9 %'
  return `${(chance * 100).toFixed(1)} %`
}
