// Measured tables as they are drawn: facing and size read back from hulls, labels that keep apart, and how fast it moves.

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DESKTOP, PHONE, begin, changedLine, frames, must, mustBeSmooth, playOn, snapshot, until } from './kit.mjs'

const golden = resolve(dirname(fileURLToPath(import.meta.url)), '../../tests/golden')
const RECORDED = ['konflikt47', 'freeform1947']
const GAMES = [...RECORDED, 'battlefield', 'warfare']
const HUMANS = [{ kind: 'human' }, { kind: 'human' }]

/** A battle in the middle of a recorded game. */
async function midway(context, ruleset, scenario, share) {
  const kept = JSON.parse(readFileSync(resolve(golden, `${ruleset}-${scenario}.json`), 'utf8'))
  // A server that has just started loads its games first: then a record may take longer than it is given.
  const keep = () => context.api('/records', kept)
  const { id } = await keep().catch(keep).catch((error) => Promise.reject(new Error(`${ruleset} ${scenario}: ${error.message}`)))
  return context.api(`/records/${id}/branch`, { at: Math.floor(kept.choices.length * share), seats: HUMANS })
}

/** A battle under way: from a recorded game where there is one, else once the forces stand on the table. */
async function underWay(context, ruleset, scenario, share) {
  if (RECORDED.includes(ruleset)) return midway(context, ruleset, scenario, share)
  const begun = await begin(context, ruleset, scenario)
  // Forces may also march on in the first turns.
  await playOn(context, begun, (seen) => seen.turn > 0 && seen.view.units.filter((unit) => ['board', 'table'].includes(unit.status)).length >= 6)
  return begun
}

const scenariosOf = async (context, ruleset) => (await context.api(`/scenarios?ruleset=${ruleset}`)).map((one) => one.id).filter((id) => id !== 'random')

/** Everything that must keep apart on the table, as it is on the screen. */
const drawn = (page) =>
  page.evaluate(() => {
    const rect = (node) => {
      const { left, top, right, bottom } = node.getBoundingClientRect()
      return { left, top, right, bottom }
    }
    const all = (selector, name) => [...document.querySelectorAll(selector)].map((node) => ({ name: name(node), ...rect(node) }))
    return {
      table: rect(document.querySelector('canvas.land')),
      plates: all('.frame .plate .face', (node) => node.closest('.plate').dataset.unit),
      words: all('.frame text.name', (node) => node.textContent),
      flags: all('.frame .flag .cloth', (node) => node.closest('.flag').querySelector('title').textContent),
      said: all('.frame .ruler.plate .plate rect, .frame .reading.way rect', (node) => node.parentNode.textContent.trim()),
      bodies: all('.frame .figures .base, .frame .figures .footprint', (node) => node.closest('.figures').dataset.unit),
      models: all('.frame .figures .base, .frame .figures .hull', (node) => node.closest('.figures').dataset.unit)
    }
  })

const meets = (a, b, slack) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack

const inside = ([x, y], outline) =>
  outline.reduce((is, [ax, ay], i) => {
    const [bx, by] = outline[(i + outline.length - 1) % outline.length]
    return ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax ? !is : is
  }, false)

/** The complaints about one table: what hangs off it, what covers what. */
function faults({ table, plates, words, flags, said }) {
  const told = []
  const labels = [...plates, ...words, ...said]
  for (const one of labels)
    if (one.left < table.left - 1 || one.top < table.top - 1 || one.right > table.right + 1 || one.bottom > table.bottom + 1) told.push(`${one.name} hangs off the table`)
  labels.forEach((one, i) => {
    for (const other of labels.slice(0, i)) if (meets(one, other, 2.5)) told.push(`${one.name} covers ${other.name}`)
    for (const flag of flags) if (meets(one, flag, 2.5)) told.push(`${one.name} covers the flag of ${flag.name}`)
  })
  return told
}

/** Twice and more as many units as there are, strewn over the table. */
function sixty(view) {
  const here = view.units.filter((unit) => ['board', 'table'].includes(unit.status) && (unit.hull || unit.models?.length))
  return Array.from({ length: 60 }, (_, n) => {
    const unit = here[n % here.length]
    const [x, y] = [60 + ((n * 137) % (view.table.width - 120)), 60 + ((n * 251) % (view.table.height - 120))]
    const from = unit.hull ?? unit.models[0]
    const moved = (one) => ({ ...one, x: one.x - from.x + x, y: one.y - from.y + y })
    return { ...unit, id: `x${n}`, name: `${unit.name} ${n}`, models: (unit.models ?? []).map(moved), ...(unit.hull ? { hull: moved(unit.hull) } : {}), ...(unit.gun ? { gun: moved(unit.gun) } : {}) }
  })
}

export const tests = [
  {
    name: 'facing, place and size on measured tables are read back from the drawn hull',
    patience: 240_000,
    async run(context) {
      let seen = 0
      const headings = new Set()
      for (const [ruleset, scenario] of [['konflikt47', 'crossroads'], ['konflikt47', 'break-through'], ['konflikt47', 'supply-dumps'], ['freeform1947', 'the-mill'], ['freeform1947', 'burning-convoy'], ['battlefield', 'encounter'], ['warfare', 'crossroads']])
        for (const share of [0.45]) {
          const begun = await underWay(context, ruleset, scenario, share)
          const page = await context.page(begun.table.link)
          await page.waitForSelector('.figures')
          const { view } = await snapshot(context, begun.id, begun.table.token)
          for (const unit of view.units.filter((one) => one.hull && ['board', 'table'].includes(one.status))) {
            const { heading, width, length, x, y } = unit.hull
            const read = await page.locator(`.figures[data-unit="${unit.id}"] .hull`).evaluate((node) => {
              const matrix = node.getScreenCTM()
              const land = document.querySelector('canvas.land').getBoundingClientRect()
              const box = node.querySelector('.footprint').getBBox()
              return { angle: (Math.atan2(matrix.b, matrix.a) * 180) / Math.PI, scale: Math.hypot(matrix.a, matrix.b), x: matrix.e - land.left, y: matrix.f - land.top, wide: box.width, long: box.height, land: land.width }
            })
            const scale = read.land / view.table.width
            const off = Math.abs(((read.angle - heading + 540) % 360) - 180)
            must(off < 0.5, `${unit.name} looks to ${heading}° but is drawn at ${read.angle.toFixed(1)}°`)
            must(Math.abs(read.scale - scale) < 0.01 * scale, `${unit.name} is drawn at another scale than the table`)
            must(Math.hypot(read.x - x * scale, read.y - y * scale) < 1.5, `${unit.name} is drawn beside its place`)
            must(Math.abs(read.wide - width) < 0.5 && Math.abs(read.long - length) < 0.5, `${unit.name} is ${width} × ${length} mm but drawn ${read.wide.toFixed(0)} × ${read.long.toFixed(0)}`)
            headings.add(heading)
            seen += 1
          }
          await page.close()
        }
      must(seen >= 10 && headings.size >= 4, `only ${seen} hulls and ${headings.size} headings were seen`)
    }
  },
  {
    name: 'every model of every unit is drawn at its true place, and leaders are marked',
    async run(context) {
      const begun = await midway(context, 'konflikt47', 'crossroads', 0.4)
      const page = await context.page(begun.table.link)
      await page.waitForSelector('.figures')
      const { view } = await snapshot(context, begun.id, begun.table.token)
      const units = view.units.filter((one) => one.status === 'table' && !one.hull)
      for (const unit of units) {
        const read = await page.locator(`.figures[data-unit="${unit.id}"]`).evaluate((node) => ({ models: node.querySelectorAll('.model').length, leaders: node.querySelectorAll('.model.leads').length }))
        must(read.models === unit.models.length, `${unit.name} has ${unit.models.length} models, ${read.models} are drawn`)
        must(read.leaders === unit.models.filter((one) => one.role === 'leader').length, `${unit.name} shows ${read.leaders} leaders`)
      }
      must(units.length > 5, 'too few units stand on the table')
    }
  },
  {
    name: 'no label hangs off the table or covers another label or a flag, in any shipped measured scenario, desktop and phone',
    patience: 600_000,
    async run(context) {
      const told = []
      let [labels, hidden, models, flagged] = [0, 0, 0, 0]
      for (const ruleset of GAMES)
        for (const scenario of await scenariosOf(context, ruleset))
          for (const begun of [await underWay(context, ruleset, scenario, 0.45)])
            for (const options of [DESKTOP, PHONE]) {
              const page = await context.page(begun.table.link, options)
              await page.waitForSelector('.figures')
              await page.waitForTimeout(120)
              const found = await drawn(page)
              labels += found.plates.length
              models += found.models.length
              hidden += found.models.filter((model) => found.plates.some((plate) => meets(model, plate, Math.min(6, (model.right - model.left) * 0.4)))).length
              told.push(...faults(found).map((fault) => `${ruleset} ${scenario}: ${fault}`))
              flagged += found.models.filter((model) => found.flags.some((flag) => meets(model, flag, Math.min(6, (model.right - model.left) * 0.4)))).length
              for (const model of found.bodies)
                if (model.left < found.table.left - 2 || model.top < found.table.top - 2 || model.right > found.table.right + 2 || model.bottom > found.table.bottom + 2) told.push(`${ruleset} ${scenario}: ${model.name} is drawn off the table`)
              await page.close()
            }
      console.log(`  ${labels} labels, ${models} models: ${hidden} under labels, ${flagged} under flags`)
      must(labels > 150, `only ${labels} labels were seen`)
      must(!told.length, told.slice(0, 6).join('; '))
      must(hidden <= models * 0.02, `labels hide ${hidden} of ${models} models`)
      must(flagged <= models * 0.01, `flags hide ${flagged} of ${models} models`)
    }
  },
  {
    name: 'what the ruler says of an option is what the panel says, and its plate covers no label, flag or model',
    patience: 240_000,
    async run(context) {
      let games = 0
      for (const ruleset of ['warfare', 'konflikt47']) {
        const begun = await begin(context, ruleset)
        const strikes = ({ decision }) => decision?.shape === 'pick-one' && decision.stakes && decision.options.filter((option) => option.about.targets?.length).length > 1
        const odds = () => context.api(`/games/${begun.id}/odds`, undefined, begun.table.token)
        const now = await playOn(context, begun, async (seen) => seen.turn > 0 && strikes(seen) && (await odds()).targets.length > 1, 5, 200).catch(() => null)
        if (!now?.decision) continue
        games += 1
        const page = await context.page(begun.table.link)
        const options = page.locator('.ask .option', { has: page.locator('small.mono') })
        await options.first().waitFor()
        for (let i = 0; i < Math.min(4, await options.count()); i += 1) {
          await options.nth(i).hover()
          const panel = /(\d+\.\d)/.exec((await options.nth(i).locator('small').innerText()).replace(/^.*destroyed, /, ''))[1]
          const note = page.locator('.ruler.plate .note')
          const read = await until(async () => ((await note.count()) ? await note.first().textContent() : ''), `${ruleset}: a ruler`).catch(() => '')
          if (!/lost/.test(read)) continue
          await until(async () => (await note.first().textContent()).includes(`${panel} lost`), `${ruleset}: the panel says ${panel} lost, the ruler "${read}"`, 4000)
          const found = await drawn(page)
          const told = faults(found)
          for (const plate of found.said) for (const model of found.models) if (meets(plate, model, 6)) told.push(`"${plate.name}" covers a model of ${model.name}`)
          must(!told.length, `${ruleset}: ${told.slice(0, 4).join('; ')}`)
        }
        await page.close()
      }
      must(games >= 1, 'such a choice never came up')
    }
  },
  {
    name: 'a way through slow ground shows which part of it is slow',
    patience: 180_000,
    async run(context) {
      const kept = JSON.parse(readFileSync(resolve(golden, 'freeform1947-the-mill.json'), 'utf8'))
      const { id } = await context.api('/records', kept)
      for (const at of [219, 188, 157, 130]) {
        const begun = await context.api(`/records/${id}/branch`, { at, seats: HUMANS })
        const { view, decision } = await snapshot(context, begun.id, begun.table.token)
        if (!decision.region?.reach) continue
        const sight = await context.api(`/games/${begun.id}/sight?unit=${decision.unit}`, undefined, begun.table.token)
        const slow = new Set(sight.terrain.filter((one) => one.going === 'slow').map((one) => one.kind))
        const pieces = view.table.terrain.filter((piece) => slow.has(piece.kind))
        const [start] = [decision.region.start]
        const wet = (spot) => pieces.some((piece) => inside(spot, piece.outline))
        const goal = decision.region.spots.find((spot) => wet(spot) && !wet(start))
        if (!goal) continue
        const page = await context.page(begun.table.link)
        await page.locator('path.ground').waitFor()
        const land = await page.locator('canvas.land').boundingBox()
        await page.mouse.move(land.x + (land.width * goal[0]) / view.table.width, land.y + (land.height * goal[1]) / view.table.height)
        await page.locator('.ghost .stretch.slow .rungs').first().waitFor({ state: 'attached' })
        const title = await page.locator('.ghost .stretch.slow title').first().textContent()
        must(pieces.some((piece) => title.startsWith(piece.name)), `what is slow is named: ${title}`)
        return
      }
      throw new Error('no way leads through slow ground')
    }
  },
  {
    name: 'the play page with a measured table is no larger than 250 kB, compressed',
    async run(context) {
      const begun = await midway(context, 'konflikt47', 'crossroads', 0.4)
      const page = await context.page('/about', { ...DESKTOP, serviceWorkers: 'block' })
      await page.goto(context.base + begun.table.link)
      await page.waitForSelector('.figures')
      const sent = await page.evaluate(() => performance.getEntriesByType('resource').filter((one) => /\/assets\//.test(one.name)).reduce((sum, one) => sum + one.encodedBodySize, 0))
      console.log(`  the play page: ${Math.round(sent / 1000)} kB`)
      must(sent > 20_000 && sent <= 250_000, `the play page is ${Math.round(sent / 1000)} kB, compressed`)
    }
  },
  {
    name: 'names of terrain are shown on pointing and on a key, and keep apart as well',
    async run(context) {
      const begun = await midway(context, 'konflikt47', 'hold-the-village', 0.3)
      const page = await context.page(begun.table.link)
      await page.waitForSelector('.figures')
      const before = await page.locator('.frame text.name').count()
      await page.keyboard.press('n')
      await page.waitForFunction((was) => document.querySelectorAll('.frame text.name').length > was, before)
      const told = faults(await drawn(page))
      must(!told.length, told.join('; '))
      await page.keyboard.press('n')
      await page.waitForFunction((was) => document.querySelectorAll('.frame text.name').length === was, before)
      const land = await page.locator('canvas.land').boundingBox()
      await page.mouse.move(land.x + land.width * ((41.5 * 25.4) / 1219), land.y + land.height * ((27.5 * 25.4) / 1219))
      await page.locator('.tip text').waitFor()
      must((await page.locator('.tip text').textContent()).includes('birches'), 'the wood is not named')
    }
  },
  {
    name: 'a measured table with sixty units pans and zooms at fifty frames a second, and its terrain is not drawn anew',
    patience: 240_000,
    async run(context) {
      const begun = await midway(context, 'konflikt47', 'crossroads', 0.4)
      const line = changedLine((message) => {
        const game = message.game ?? message
        if (game.view?.table?.kind === 'measured') game.view.units = sixty(game.view)
        return message
      })
      const page = await context.page('/about', { ...DESKTOP, line })
      await page.route(new RegExp(`/api/games/${begun.id}$`), async (route) => {
        const answer = await route.fetch()
        const game = await answer.json()
        await route.fulfill({ response: answer, json: { ...game, view: { ...game.view, units: sixty(game.view) } } })
      })
      await page.goto(context.base + begun.table.link)
      await page.waitForFunction(() => document.querySelectorAll('.figures').length >= 60)
      await page.waitForTimeout(800)
      await page.evaluate(() => {
        globalThis.fills = 0
        const fill = CanvasRenderingContext2D.prototype.fill
        CanvasRenderingContext2D.prototype.fill = function (...rest) {
          globalThis.fills += 1
          return fill.apply(this, rest)
        }
      })
      const land = await page.locator('canvas.land').boundingBox()
      const [cx, cy] = [land.x + land.width / 2, land.y + land.height / 2]
      await page.mouse.move(cx, cy)
      await page.mouse.down()
      const pan = await frames(page, async () => {
        for (let i = 0; i < 60; i += 1) await page.mouse.move(cx + Math.sin(i / 6) * 120, cy + Math.cos(i / 6) * 90)
      })
      await page.mouse.up()
      must((await page.evaluate(() => globalThis.fills)) === 0, 'terrain was drawn anew while the table was moved')
      // One step of the wheel for every frame.
      const zoom = await frames(page, () =>
        page.evaluate(
          ([x, y]) =>
            new Promise((done) => {
              const frame = document.querySelector('.frame')
              let step = 0
              const turn = () => {
                frame.dispatchEvent(new WheelEvent('wheel', { deltaY: step % 20 < 10 ? -60 : 60, clientX: x, clientY: y, cancelable: true }))
                step += 1
                if (step < 80) requestAnimationFrame(turn)
                else done()
              }
              requestAnimationFrame(turn)
            }),
          [cx, cy]
        )
      )
      console.log(`  pan ${pan.perSecond.toFixed(0)}/s (median ${pan.median.toFixed(0)} ms), zoom ${zoom.perSecond.toFixed(0)}/s (median ${zoom.median.toFixed(0)} ms)`)
      // The median frame counts: other work on this machine takes a frame now and then.
      mustBeSmooth('panning', pan)
      mustBeSmooth('zooming', zoom)
    }
  }
]
