// Lines of sight as they are drawn: three styles, the obstacle marked, its reason written beside it.

import type { Point, SightLine } from '../lib/types'

export interface Place {
  x: number
  y: number
}

export interface DrawnSight {
  kind: SightLine['kind']
  from: Place
  to: Place
  /** Where the line is stopped or screened. */
  at: Place | null
  /** Written beside the obstacle; empty where another line has said it. */
  label: string
  /** The whole line in words. */
  title: string
}

const WORDS: Record<SightLine['kind'], string> = { clear: 'in plain sight', cover: 'in cover', blocked: 'not seen' }
const MOST_LABELS = 4

const plain = (text: string): string => text.replaceAll('_', ' ')

/** A line in words: "Ludwig: not seen, lamassu at D8 stands in the way". */
export const said = (line: SightLine, name: string): string => `${name}: ${WORDS[line.kind]}${line.reason ? `, ${plain(line.reason)}` : ''}`

/** A sentence for all lines of a unit. */
export function summary(lines: readonly SightLine[], name: (unit: string) => string): string {
  if (!lines.length) return ''
  const of = (kind: SightLine['kind']): string[] => lines.filter((line) => line.kind === kind).map((line) => name(line.to))
  const parts = (['clear', 'cover', 'blocked'] as const).flatMap((kind) => {
    const names = of(kind)
    return names.length ? [`${WORDS[kind]}: ${names.join(', ')}`] : []
  })
  return `${name(lines[0]!.unit)} looks round. ${parts.join('; ')}.`
}

/** Where everything goes. Each obstacle is named once, the line that is pointed at before all others. */
export function drawSights(
  lines: readonly SightLine[],
  where: (unit: string) => Place | undefined,
  spot: (point: Point) => Place,
  name: (unit: string) => string,
  pointed = ''
): DrawnSight[] {
  const labelled = new Set<string>()
  const order = [...lines].sort((one, other) => Number(other.to === pointed) - Number(one.to === pointed) || one.range - other.range)
  const labels = new Map<SightLine, string>()
  for (const line of order) {
    const key = typeof line.at === 'string' ? `${line.at} ${line.reason}` : line.reason
    if (line.kind === 'clear' || !line.reason || !line.at || labelled.has(key) || labelled.size >= MOST_LABELS) continue
    labelled.add(key)
    labels.set(line, plain(line.reason))
  }
  return lines.map((line) => ({
    kind: line.kind,
    from: spot(line.start),
    to: where(line.to) ?? spot(line.end),
    at: line.at === null ? null : spot(line.at),
    label: labels.get(line) ?? '',
    title: said(line, name(line.to))
  }))
}

/**
 * The part of a line up to a point and the part beyond it; the point is brought onto the line. Both ends stop short, so
 * that no counter is crossed out.
 */
export function split(from: Place, to: Place, at: Place | null, short = 0): { before: string; beyond: string; mark: Place } {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = Math.hypot(dx, dy) || 1
  const cut = Math.min(short, length / 3) / length
  const share = at ? ((at.x - from.x) * dx + (at.y - from.y) * dy) / (length * length) : 0.7
  const on = (part: number): Place => ({ x: from.x + dx * part, y: from.y + dy * part })
  const mark = on(Math.min(0.94 - cut, Math.max(0.06, share)))
  const [start, end] = [on(cut / 2), on(1 - cut)]
  return { before: `M${start.x} ${start.y}L${mark.x} ${mark.y}`, beyond: `M${mark.x} ${mark.y}L${end.x} ${end.y}`, mark }
}

export interface Lettering extends Place {
  text: string
}

const LETTER = 19
const OFFSETS = [-19, 31, -42, 54, -65]

/** Where the reasons are written: over the obstacle, else under it, wherever no other reason stands. */
export function letterings(lines: readonly DrawnSight[], size: number, short: number): Lettering[] {
  const placed: { left: number; right: number; y: number }[] = []
  return lines
    .filter((line) => line.label)
    .map((line) => {
      const { mark } = split(line.from, line.to, line.at, short)
      const half = line.label.length * LETTER * 0.21 * size
      const free = (y: number): boolean => placed.every((one) => one.right < mark.x - half || one.left > mark.x + half || Math.abs(one.y - y) > LETTER * 0.95 * size)
      const y = OFFSETS.map((offset) => mark.y + offset * size).find(free) ?? mark.y + OFFSETS[0]! * size
      placed.push({ left: mark.x - half, right: mark.x + half, y })
      return { x: mark.x, y, text: line.label }
    })
}
