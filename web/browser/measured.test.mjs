// Playing on measured tables: what is shown before a shot and a move, in every game, and that no ordinary click fails.

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DESKTOP, PHONE, begin, chance, must, playOn, snapshot, until } from './kit.mjs'

const golden = resolve(dirname(fileURLToPath(import.meta.url)), '../../tests/golden')
const onTable = (unit) => ['board', 'table'].includes(unit.status) && (unit.hull || unit.models?.length || unit.places?.length)

const aims = (asked) => (asked.items ?? []).some((item) => item.options.some((option) => option.about.targets?.length))

/** Requests of a page that failed. */
function failures(page) {
  const failed = []
  page.on('response', (answer) => answer.status() >= 400 && failed.push(`${answer.status()} ${answer.request().method()} ${new URL(answer.url()).pathname}`))
  page.on('requestfailed', (request) => !/aborted/i.test(request.failure()?.errorText ?? '') && failed.push(`${request.url()} ${request.failure()?.errorText}`))
  return failed
}

/** Where a point of the table is on the screen. */
async function onScreen(page, view, x, y) {
  const land = await page.locator('canvas.land').boundingBox()
  return [land.x + (x / view.table.width) * land.width, land.y + (y / view.table.height) * land.height]
}

const placeOf = (unit) => unit.hull ?? unit.models[0]

/** A shot that is about to be declared with odds behind it: some of its answers lead to dice. */
async function shooting(context, ruleset) {
  for (const seed of [5, 8, 11]) {
    const begun = await begin(context, ruleset)
    const now = await playOn(
      context,
      begun,
      async (seen) => seen.turn > 0 && seen.decision.stakes && (aims(seen.decision) || seen.decision.act === 'react') && (await context.api(`/games/${begun.id}/odds`, undefined, begun.table.token)).targets.length > 0,
      seed
    )
    if (!now.over) return { begun, now }
  }
  throw new Error(`nobody shoots in ${ruleset}`)
}

export const tests = [
  {
    name: 'odds are shown before an attack in every game, the main choice is not the careless one, and the table is axe clean',
    patience: 300_000,
    async run(context) {
      for (const { id: ruleset } of (await context.api('/rulesets')).filter((one) => one.playable)) {
        const { begun, now } = await shooting(context, ruleset)
        const page = await context.page(begun.table.link)
        await page.locator('.ask small.mono', { hasText: /destroyed|lost/ }).first().waitFor({ timeout: 15_000 }).catch(() => Promise.reject(new Error(`${ruleset}: no odds beside "${now.decision.text}"`)))
        if (aims(now.decision)) {
          const main = page.locator('.ask .pair .loud')
          await until(async () => /^Fire/.test(await main.innerText()), `${ruleset}: firing is the main choice`)
          await page.locator('.chance', { hasText: /destroyed|lost/ }).first().waitFor()
          if (now.view.table.kind === 'measured') {
            const ruler = page.locator('.ruler.plate text').first()
            await ruler.waitFor()
            must(/of|too far|out of range/.test(await ruler.textContent()), `${ruleset}: the ruler tells distance against range: ${await ruler.textContent()}`)
          }
        } else must(!(await page.locator('.ask .option').first().getAttribute('class')).includes('careless'), `${ruleset}: the first option does nothing`)
        await context.axe(page).catch((error) => Promise.reject(new Error(`${ruleset}: ${error.message}`)))
        await page.close()
      }
    }
  },
  {
    name: 'pointing at the table shows where a unit would stand, its way and length; tapping twice goes there; a target is tapped to aim at it',
    patience: 200_000,
    async run(context) {
      for (const ruleset of ['konflikt47', 'warfare', 'battlefield', 'freeform1947']) {
        const begun = await begin(context, ruleset)
        const now = await playOn(context, begun, (seen) => seen.turn > 0 && seen.decision.region?.reach && seen.decision.region.spots.some((spot) => spot.length && Array.isArray(spot[0]) === (seen.decision.shape === 'path')))
        const page = await context.page(begun.table.link)
        const failed = failures(page)
        await page.locator('path.ground').waitFor()
        const spots = now.decision.region.spots.filter((spot) => spot.length).map((spot) => (Array.isArray(spot[0]) ? spot[spot.length - 1] : spot))
        const far = (spot) => Math.hypot(spot[0] - now.decision.region.start[0], spot[1] - now.decision.region.start[1])
        const goal = spots.sort((one, other) => far(other) - far(one))[0]
        await page.mouse.move(...(await onScreen(page, now.view, goal[0], goal[1])))
        await page.locator('.ghost.light .body').first().waitFor().catch(() => Promise.reject(new Error(`${ruleset}: no ghost at ${goal}`)))
        const length = Number(await page.locator('.ghost').first().getAttribute('data-length'))
        must(length > 0, `${ruleset}: the way has a length`)
        const at = await onScreen(page, now.view, goal[0], goal[1])
        await page.mouse.click(...at)
        await page.locator('.ask .pair .loud:enabled').waitFor()
        await page.waitForTimeout(150)
        await page.mouse.click(...at)
        await until(async () => (await snapshot(context, begun.id, begun.table.token)).version > now.version, `${ruleset}: a second tap goes there`)
        must(!failed.length, `${ruleset}: ${failed}`)
        await page.close()
      }
    }
  },
  {
    name: 'the ground in reach is shaded by what the way costs: behind a wall it is dearer than as far in the open',
    patience: 120_000,
    async run(context) {
      const begun = await begin(context, 'battlefield')
      const now = await playOn(context, begun, (seen) => seen.turn > 0 && seen.decision.region?.reach && seen.decision.region.spots.length > 4)
      const [x, y] = now.decision.region.start
      // A move of 240 mm with a wall 40 mm to the east: behind it the way round is charged, west of the unit nothing is in the way.
      const step = 20
      const columns = 25
      const cost = (dx, dy) => (dx > 40 && Math.abs(dy) < 110 ? 110 + Math.hypot(dx - 40, 110 - Math.abs(dy)) : Math.hypot(dx, dy))
      const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-'
      const cells = Array.from({ length: columns * columns }, (_, at) => {
        const spent = cost(((at % columns) - 12) * step, (Math.floor(at / columns) - 12) * step)
        return spent > 240 ? '.' : letters[Math.round((spent / 240) * 63)]
      }).join('')
      const line = {
        async through(page) {
          await page.route(/\/sight\?/, async (route) => {
            const answer = await route.fetch()
            const sight = await answer.json()
            must(sight.costs && sight.costs.cells.includes('0'), 'the server tells what the ground in reach costs')
            await route.fulfill({ response: answer, json: { ...sight, costs: { x: x - 12 * step, y: y - 12 * step, step, columns, limit: 24, cells } } })
          })
        }
      }
      const page = await context.page(begun.table.link, { ...DESKTOP, line })
      await page.locator('path.ground').waitFor()
      await page.locator('canvas.costs').waitFor()
      const shade = (dx, dy) =>
        page.evaluate(
          ([px, py, table]) => {
            const [land, canvas] = [document.querySelector('canvas.land').getBoundingClientRect(), document.querySelector('canvas.costs')]
            const box = canvas.getBoundingClientRect()
            const [sx, sy] = [land.left + (px / table.width) * land.width, land.top + (py / table.height) * land.height]
            return canvas.getContext('2d').getImageData(((sx - box.left) / box.width) * canvas.width, ((sy - box.top) / box.height) * canvas.height, 1, 1).data
          },
          [x + dx, y + dy, now.view.table]
        )
      const [behind, open, near, beyond] = [await shade(70, 0), await shade(-70, 0), await shade(-20, 0), await shade(0, 300)]
      must(behind[0] < open[0] - 40, `70 mm to the east, behind the wall, the shade is ${Object.values(behind)}, 70 mm to the west ${Object.values(open)}`)
      must(open[0] < near[0], `farther is darker: ${open[0]} and ${near[0]}`)
      must(beyond[3] === undefined || beyond[3] === 0, `nothing is shaded out of reach, but ${beyond[3]}`)
      must((await page.locator('path.level').getAttribute('d')).length > 100, 'lines of equal cost are drawn')
    }
  },
  {
    name: 'the order in which weapons strike is taken at one press, or chosen',
    patience: 240_000,
    async run(context) {
      // Two moments of recorded games: in the first the same question came twice, in the second three weapons strike.
      for (const [scenario, at] of [['supply-drop', 181], ['ambush', 194]]) {
        const kept = JSON.parse(readFileSync(resolve(golden, `battlefield-${scenario}.json`), 'utf8'))
        const { id } = await context.api('/records', kept)
        const begun = await context.api(`/records/${id}/branch`, { at, seats: [{ kind: 'human' }, { kind: 'human' }] })
        const now = await snapshot(context, begun.id, begun.table.token)
        must(now.decision.ordering, `${scenario}: ${now.decision.text}`)
        const page = await context.page(begun.table.link)
        const order = page.getByRole('button', { name: 'In this order' })
        await order.waitFor()
        must((await page.locator('.ask .option').count()) === now.decision.options.length, 'every weapon can still be chosen')
        await order.click()
        await until(async () => {
          const seen = await snapshot(context, begun.id, begun.table.token)
          return seen.version > now.version && !seen.decision?.ordering
        }, `${scenario}: one press takes them all`)
        await page.close()
      }
    }
  },
  {
    name: 'out of range and out of sight are said before a shot, and the tape measure is free for everybody',
    patience: 120_000,
    async run(context) {
      const { begun, now } = await shooting(context, 'battlefield')
      const page = await context.page(begun.table.link)
      await page.locator('.ruler').first().waitFor()
      const mine = now.view.units.find((unit) => unit.id === now.decision.unit)
      const targets = new Set(now.decision.items.flatMap((item) => item.options.flatMap((option) => option.about.targets ?? [])))
      const others = now.view.units.filter((unit) => onTable(unit) && unit.side !== mine.side && !targets.has(unit.id))
      for (const unit of others.slice(0, 3)) {
        const place = placeOf(unit)
        await page.mouse.move(...(await onScreen(page, now.view, place.x, place.y)))
        await page.locator('.ruler.plate.far').waitFor()
        must(/too far|out of range|not seen|of/.test(await page.locator('.ruler.plate.far').first().textContent()), 'it says why not')
      }
      await page.keyboard.press('m')
      const [a, b] = [await onScreen(page, now.view, 200, 200), await onScreen(page, now.view, 500, 200)]
      await page.mouse.click(...a)
      await page.mouse.click(...b)
      const read = await page.locator('.reading text').last().textContent()
      must(/^(29\.\d|30(\.\d)?) cm$/.test(read), `300 mm are ${read}`)
      must((await snapshot(context, begun.id, begun.table.token)).version === now.version, 'measuring decides nothing')
    }
  },
  {
    name: 'a game of every ruleset is played by clicks for a while: no request fails, the page does not complain, nothing stands off the table',
    patience: 400_000,
    async run(context) {
      for (const { id: ruleset } of (await context.api('/rulesets')).filter((one) => one.playable)) {
        const begun = await begin(context, ruleset)
        await playOn(context, begun, (seen) => seen.turn > 0)
        const page = await context.page(begun.table.link)
        const failed = failures(page)
        await page.waitForSelector('.ask')
        const roll = chance(3)
        let clicks = 0
        for (let i = 0; i < 22; i += 1) {
          const now = await snapshot(context, begun.id, begun.table.token)
          if (now.over) break
          await until(() => page.evaluate((version) => Number(document.querySelector('.battle').dataset.version) >= version, now.version), `${ruleset}: the page follows`)
          if (now.decision.region) {
            // Point somewhere, then take a suggestion: previews come and go as they do under a hand.
            const spots = now.decision.region.spots.filter((spot) => spot.length)
            const spot = spots.length ? spots[roll(spots.length)] : null
            if (spot) {
              const goal = Array.isArray(spot[0]) ? spot[spot.length - 1] : spot
              await page.mouse.move(...(await onScreen(page, now.view, goal[0], goal[1])))
            }
            const list = page.locator('.ask details:has(.squares)')
            if (!(await list.evaluate((node) => node.open))) await list.locator('summary').click()
            const all = list.locator('.squares button:enabled')
            await all.nth(roll(await all.count())).click()
          } else {
            const buttons = page.locator('.ask .option:enabled, .ask .numbers button:enabled, .ask .tick input, .ask .pair button:enabled, .ask .squares button')
            const list = page.locator('.ask details:has(.squares) summary')
            if (await list.count()) await list.click()
            const loud = page.locator('.ask button.loud:enabled')
            const n = await buttons.count()
            if (n) await buttons.nth(roll(n)).click({ timeout: 3000 }).catch(() => undefined)
            if ((await loud.count()) && (await snapshot(context, begun.id, begun.table.token)).version === now.version) await loud.first().click({ timeout: 3000 }).catch(() => undefined)
          }
          clicks += 1
          await page.waitForTimeout(60)
        }
        const off = await page.evaluate(() => {
          const land = document.querySelector('canvas.land')?.getBoundingClientRect()
          if (!land) return []
          return [...document.querySelectorAll('.figures .base, .figures .footprint, .plate .face')]
            .map((node) => [node.closest('[data-unit]')?.dataset.unit, node.getBoundingClientRect()])
            .filter(([, box]) => (box.left + box.right) / 2 < land.left - 2 || (box.left + box.right) / 2 > land.right + 2 || (box.top + box.bottom) / 2 < land.top - 2 || (box.top + box.bottom) / 2 > land.bottom + 2)
            .filter(([unit]) => !document.querySelector(`.tray [data-unit="${unit}"]`))
            .map(([unit]) => unit)
        })
        must(!off.length, `${ruleset}: off the table: ${off}`)
        must(clicks > 12, `${ruleset}: only ${clicks} clicks`)
        must(!failed.length, `${ruleset}: ${failed.slice(0, 4)}`)
        await page.close()
      }
    }
  },
  {
    name: 'score and report wait for the dice, and the order cup, steps and pools tell where in the turn we are',
    patience: 300_000,
    async run(context) {
      let held = 0
      for (let game = 0; game < 4 && held <= 5; game += 1) { // dice are fair, so a game may go on without any for a while
        const { begun, now } = await shooting(context, 'konflikt47')
        const page = await context.page(begun.table.link, { ...DESKTOP, reducedMotion: 'no-preference' })
        await page.locator('.ask').waitFor()
        must(/Orders/.test(await page.locator('.steps .now').innerText()), 'the step of the turn is marked')
        const left = now.view.pools[0].left.map(String)
        must(JSON.stringify(await page.locator('.cup .left i').allInnerTexts()) === JSON.stringify(left), 'the cup holds what it holds')
        must((await page.locator('.cup ol li').count()) > 0, 'dice that were drawn lie beside the cup')
        // Decide until dice fall: they lie in the tray while the report and the position still wait.
        for (let choice = 0; choice < 16 && held <= 5; choice += 1) {
          const version = Number(await page.evaluate(() => document.querySelector('.battle').dataset.version))
          const [lines, thrown] = await page.evaluate(() => [document.querySelectorAll('.log li li').length, document.querySelector('[aria-label="The dice"]')?.innerHTML ?? ''])
          const suggestion = page.locator('.ask details:has(.squares)')
          if (await suggestion.count()) {
            await suggestion.locator('summary').click()
            await suggestion.locator('.squares button').last().click()
          } else {
            const loud = page.locator('.ask .pair .loud:enabled')
            const button = (await loud.count()) ? loud.first() : page.locator('.ask .option:enabled').first()
            const clicked = await button.click({ timeout: 3_000 }).then(() => true, () => false)
            if (!clicked) await playOn(context, begun, (seen) => seen.version > version) // a decision of another shape
          }
          for (let i = 0; i < 150; i += 1) {
            const [dice, told, at] = await page.evaluate(() => [document.querySelector('[aria-label="The dice"]')?.innerHTML ?? '', document.querySelectorAll('.log li li').length, Number(document.querySelector('.battle').dataset.version)])
            if (at > version) break
            if (dice !== thrown && told === lines) held += 1
            await page.waitForTimeout(20)
          }
          await page.locator('.ask').waitFor()
        }
        await page.close()
      }
      must(held > 5, `the report came with the dice (${held})`)
    }
  },
  {
    name: 'on a phone the board keeps its size from prompt to prompt, and labels of the unit that decides are large enough',
    patience: 120_000,
    async run(context) {
      const begun = await begin(context, 'warfare')
      await playOn(context, begun, (seen) => seen.turn > 0)
      const page = await context.page(begun.table.link, PHONE)
      const sizes = new Set()
      for (let i = 0; i < 7; i += 1) {
        const now = await snapshot(context, begun.id, begun.table.token)
        await until(() => page.evaluate((version) => document.querySelector('.battle')?.dataset.version === String(version), now.version), 'the page follows')
        await page.waitForTimeout(80)
        sizes.add(JSON.stringify(await page.locator('.field').boundingBox()))
        const plate = page.locator(`.frame .plate[data-unit="${now.decision.unit}"] .face`)
        if (now.decision.unit && (await plate.count())) {
          const box = await plate.boundingBox()
          must(box.width >= 36 && box.height >= 35.9, `the label of ${now.decision.unit} is ${box.width} × ${box.height}`)
        }
        await playOn(context, begun, (seen) => seen.version > now.version, 7 + i)
      }
      must(sizes.size === 1, `the board changes its size: ${[...sizes]}`)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      must(wide <= 0, `the page is ${wide} px too wide`)
    }
  }
]
