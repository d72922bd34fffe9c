// Puts a scene on canvases: one that is drawn once, one for what gives way to models. By lamplight the same, darker.

import type { Patch, Scene } from './scene'
import { inSeason, LAMP, TONE, type Climate, type Paint } from './tones'
import { chance } from './shapes'

export interface Light {
  dark: boolean
  climate?: Climate
}

const NIGHT = [0.47, 0.44, 0.385] as const
/** Water keeps its blue by lamplight. */
const AT_NIGHT: Readonly<Record<string, string>> = { [TONE.water]: '#41585e', [TONE.waterInk]: '#16282e' }
/** A colour by lamplight. */
export function lit(plain: string, { dark, climate = '' }: Light): string {
  const colour = inSeason(plain, climate)
  if (!dark) return colour
  if (AT_NIGHT[colour]) return AT_NIGHT[colour]!
  const [r, g, b] = [1, 3, 5].map((i, k) => Math.round(parseInt(colour.slice(i, i + 2), 16) * NIGHT[k]!))
  return `rgb(${r} ${g} ${b})`
}

function stroke(ctx: CanvasRenderingContext2D, paint: Paint, light: Light): void {
  if (!paint.d) return
  const shape = new Path2D(paint.d)
  ctx.globalAlpha = paint.alpha ?? 1
  if (paint.fill) {
    ctx.fillStyle = lit(paint.fill, light)
    ctx.fill(shape, paint.hollow ? 'evenodd' : 'nonzero')
  }
  if (paint.stroke) {
    ctx.strokeStyle = lit(paint.stroke, light)
    ctx.lineWidth = paint.width ?? 1
    ctx.lineCap = paint.round ? 'round' : 'butt'
    ctx.lineJoin = 'round'
    ctx.setLineDash(paint.dash ?? [])
    ctx.stroke(shape)
  }
  ctx.globalAlpha = 1
}

function patch(ctx: CanvasRenderingContext2D, one: Patch, light: Light): void {
  const soft = ctx.createRadialGradient(one.x, one.y, 0, one.x, one.y, one.r)
  const colour = lit(one.fill, light)
  const clear = colour.startsWith('#') ? `${colour}00` : colour.replace(')', ' / 0)')
  soft.addColorStop(0, colour)
  soft.addColorStop(1, clear)
  ctx.globalAlpha = one.alpha
  ctx.fillStyle = soft
  ctx.fillRect(one.x - one.r, one.y - one.r, one.r * 2, one.r * 2)
  ctx.globalAlpha = 1
}

function shadow(ctx: CanvasRenderingContext2D, d: string, dark: boolean): void {
  if (!d) return
  ctx.globalAlpha = dark ? 0.42 : 0.3
  ctx.fillStyle = dark ? '#0a0805' : TONE.shadow
  ctx.fill(new Path2D(d))
  ctx.globalAlpha = 1
}

let tile: HTMLCanvasElement | null = null
/** The grain of the paper, a tile that is made once. */
function grain(): HTMLCanvasElement {
  if (tile) return tile
  const made = document.createElement('canvas')
  made.width = made.height = 160
  const ctx = made.getContext('2d')!
  const image = ctx.createImageData(160, 160)
  const roll = chance('paper')
  for (let i = 0; i < image.data.length; i += 4) {
    const dark = roll() < 0.5
    image.data[i] = dark ? 92 : 255
    image.data[i + 1] = dark ? 71 : 250
    image.data[i + 2] = dark ? 31 : 230
    image.data[i + 3] = Math.floor(roll() * roll() * 46)
  }
  ctx.putImageData(image, 0, 0)
  return (tile = made)
}

function ready(canvas: HTMLCanvasElement, scene: Scene, scale: number): CanvasRenderingContext2D {
  const [width, height] = [Math.round(scene.width * scale), Math.round(scene.height * scale)]
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height]
  const ctx = canvas.getContext('2d', { alpha: false })!
  ctx.setTransform(scale, 0, 0, scale, 0, 0)
  return ctx
}

/** What never changes: ground, roads, water, walls. */
export function paintLand(canvas: HTMLCanvasElement, scene: Scene, scale: number, light: Light): void {
  const { dark } = light
  const ctx = ready(canvas, scene, scale)
  ctx.fillStyle = lit(TONE.sheet, light)
  ctx.fillRect(0, 0, scene.width, scene.height)
  for (const one of scene.patches) patch(ctx, one, light)
  for (const one of scene.ground) stroke(ctx, one, light)
  let grid = ''
  for (let x = 304.8; x < scene.width - 1; x += 304.8) grid += `M${x} 0V${scene.height}`
  for (let y = 304.8; y < scene.height - 1; y += 304.8) grid += `M0 ${y}H${scene.width}`
  stroke(ctx, { d: grid, stroke: TONE.grid, width: 1.2, alpha: dark ? 0.7 : 0.38 }, light)
  for (const one of scene.low) stroke(ctx, one, light)
  shadow(ctx, scene.shade, dark)
  for (const one of scene.high) stroke(ctx, one, light)
  finish(ctx, scene, scale, dark)
}

/** Paper grain, and the light of the lamp. */
function finish(ctx: CanvasRenderingContext2D, scene: Scene, scale: number, dark: boolean): void {
  ctx.save()
  ctx.setTransform(1, 0, 0, 1, 0, 0)
  const paper = ctx.createPattern(grain(), 'repeat')
  if (paper) {
    ctx.globalAlpha = dark ? 0.5 : 1
    ctx.fillStyle = paper
    ctx.fillRect(0, 0, scene.width * scale, scene.height * scale)
  }
  ctx.restore()
  const far = Math.hypot(scene.width, scene.height)
  const [cx, cy] = [scene.width * (0.5 - LAMP[0] * 0.35), scene.height * (0.5 - LAMP[1] * 0.35)]
  const lamp = ctx.createRadialGradient(cx, cy, 0, cx, cy, far * 0.95)
  lamp.addColorStop(0, dark ? 'rgb(255 214 140 / .2)' : 'rgb(255 243 200 / .1)')
  lamp.addColorStop(0.45, dark ? 'rgb(255 190 110 / .06)' : 'rgb(255 243 200 / 0)')
  lamp.addColorStop(1, dark ? 'rgb(6 4 0 / .5)' : 'rgb(42 30 5 / .18)')
  ctx.fillStyle = lamp
  ctx.fillRect(0, 0, scene.width, scene.height)
}

/** The land with what gives way to models: crowns, roofs; and smoke over all of it. */
export function paintTops(canvas: HTMLCanvasElement, land: HTMLCanvasElement, scene: Scene, scale: number, light: Light, crowns: readonly number[], roofs: readonly boolean[]): void {
  const { dark } = light
  const ctx = ready(canvas, scene, scale)
  ctx.setTransform(1, 0, 0, 1, 0, 0)
  ctx.drawImage(land, 0, 0)
  ctx.setTransform(scale, 0, 0, scale, 0, 0)
  shadow(ctx, scene.crowns.map((one, i) => (crowns[i] === 1 ? one.shade : '')).join('') + scene.roofs.map((one, i) => (roofs[i] ? one.shade : '')).join(''), dark)
  scene.roofs.forEach((one, i) => {
    if (roofs[i]) for (const paint of one.paints) stroke(ctx, paint, light)
  })
  scene.crowns.forEach((one, i) => {
    const share = crowns[i]!
    if (!share) return
    ctx.save()
    if (share < 1) {
      ctx.translate(one.x, one.y)
      ctx.scale(share, share)
      ctx.translate(-one.x, -one.y)
    }
    for (const paint of one.paints) stroke(ctx, paint, light)
    ctx.restore()
  })
  for (const one of scene.smoke.patches) patch(ctx, one, light)
  for (const one of scene.smoke.paints) stroke(ctx, one, light)
}
