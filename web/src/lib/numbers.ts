// Numbers as people read them.

/** A chance in percent; never 0 or 100 unless it is certain. */
export function percent(p: number): string {
  if (p > 0 && p < 0.01) return '<1 %'
  if (p < 1 && p > 0.99) return '>99 %'
  return `${Math.round(p * 100)} %`
}

/** So many of something: 1 point, 2 points. */
export const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`
