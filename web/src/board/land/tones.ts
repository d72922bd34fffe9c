// The colours of drawn land, its one lamp and the shadows it throws, and how the seasons change them.

import { hullOf, move, path, type Point } from './shapes'

export interface Paint {
  d: string
  fill?: string
  stroke?: string
  width?: number
  alpha?: number
  dash?: number[]
  round?: boolean
  /** A shape within a shape is a hole. */
  hollow?: boolean
}

/** The one lamp stands in the north-west: shadows fall this way. */
export const LAMP: Point = [0.62, 0.78]

export const TONE = {
  sheet: '#e9e1c6', grass: '#cfcf9f', straw: '#d9c998', moss: '#c7cb9b', tuft: '#8f9160', ink: '#272318', shadow: '#2a2410', bone: '#fbf5e4',
  trees: '#6f8a55', treesInk: '#34482a', leaf: '#8a9c5c', litter: '#5d6b38', floor: '#a9b07c', fir: '#4d6a4a', glint: '#c4cf98',
  water: '#a9c3c6', waterInk: '#3f6a75', bank: '#cdbf90', earth: '#6c5735', mud: '#b59a72', sand: '#dcc58d', dune: '#c9ad6c',
  road: '#ddd0ae', roadInk: '#8d7f60', shoulder: '#c8ba88', rut: '#bda97c', hill: '#e0d3a6', summit: '#eadfbd',
  wheat: '#dcc27f', wheatInk: '#8a6a23', stubble: '#cbb383', stone: '#c3bba8', stoneLight: '#ddd5c0', stoneInk: '#4c4638', wall: '#2d281c', wallTop: '#8c836c',
  boards: '#d6c7a5', boardsInk: '#a3936c', roof: '#b9714f', roofDark: '#95523a', roofInk: '#5f2f1e', concrete: '#b8b2a2', metal: '#7d7768', soot: '#3b3323', smoke: '#f3f0e6', swamp: '#b3b98c', bag: '#cbb98c', grid: '#8b7f63'
} as const

const hex = (colour: string): number[] => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16))
export const mix = (a: string, b: string, share: number): string => {
  const [one, two] = [hex(a), hex(b)]
  return `#${one.map((value, i) => Math.round(value + (two[i]! - value) * share).toString(16).padStart(2, '0')).join('')}`
}

export const fallen = (points: readonly Point[], far: number): Point[] => move(points, LAMP[0] * far, LAMP[1] * far)
/** The shadow of something upright: its outline swept away from the lamp. */
export const cast = (points: readonly Point[], height: number): string => path(hullOf([...points, ...fallen(points, height)]))


/** What a table is like as a whole, by the name of its battle. */
export type Climate = '' | 'snow' | 'desert'
export const climateOf = (...words: readonly string[]): Climate => {
  const text = words.join(' ').toLowerCase()
  return /blizzard|snow|winter|frost|\bice\b/.test(text) ? 'snow' : /dune|desert|babylon|oasis|sandstorm/.test(text) ? 'desert' : ''
}

const SNOW: Readonly<Record<string, string>> = {
  [TONE.sheet]: '#e9ecea', [TONE.grass]: '#dbe3e3', [TONE.straw]: '#e0e3de', [TONE.moss]: '#d5dfe0', [TONE.tuft]: '#a3a99d', [TONE.floor]: '#cdd6cf', [TONE.litter]: '#7d8a76',
  [TONE.road]: '#d5d3ca', [TONE.shoulder]: '#cbd0ce', [TONE.rut]: '#b3b2aa', [TONE.sand]: '#f7f9f9', [TONE.dune]: '#b9c6cd', [TONE.mud]: '#bfb6a3', [TONE.bank]: '#d9dedc', [TONE.hill]: '#dfe4e3', [TONE.summit]: '#f1f4f4'
}
const DESERT: Readonly<Record<string, string>> = {
  [TONE.sheet]: '#ead9ae', [TONE.grass]: '#e1cd97', [TONE.straw]: '#e4ca8c', [TONE.moss]: '#ddcc9a', [TONE.tuft]: '#ab955b', [TONE.floor]: '#cdbd86', [TONE.road]: '#dfc99a', [TONE.shoulder]: '#d3b97f'
}
const PALE = '#f1f5f5'
/** A colour in its season: under snow everything that is not ink is paler. */
export function inSeason(colour: string, climate: Climate): string {
  if (!climate) return colour
  if (climate === 'desert') return DESERT[colour] ?? colour
  const [r, g, b] = hex(colour)
  return SNOW[colour] ?? (r! + g! + b! > 270 ? mix(colour, PALE, 0.3) : colour)
}
