// Pictures of five moments of every game, desktop and phone, by day and by lamplight: `npm run pictures FOLDER [words of a file's name]`.
//
// The games are the recorded ones of tests/golden, so that the same moment can be looked at again after a change.

import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DESKTOP, PHONE, contextFor, launch, snapshot, startServer } from './kit.mjs'

const golden = resolve(dirname(fileURLToPath(import.meta.url)), '../../tests/golden')
const SCENARIOS = { dust1947: 'crossroads', konflikt47: 'hold-the-village', freeform1947: 'the-mill', battlefield: 'supply-drop', warfare: 'river-crossing' }
const LOOKS = [
  ['desktop-day', DESKTOP, 'light'],
  ['desktop-lamp', DESKTOP, 'dark'],
  ['phone-day', PHONE, 'light'],
  ['phone-lamp', PHONE, 'dark']
]

const [folder, ...words] = process.argv.slice(2)
if (!folder) {
  console.error('Say into which folder: npm run pictures FOLDER [ruleset or ruleset/scenario ...]')
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
const wanted = words.length ? words.map((word) => word.split('/')) : Object.entries(SCENARIOS)

const onTable = (view) => view.units.filter((unit) => ['board', 'table'].includes(unit.status)).length
const aims = (asked) => (asked.items ?? []).some((item) => item.options.some((option) => option.about.targets?.length))
/** What the moments are, the later ones only once the battle is under way. */
const MOMENTS = {
  deploy: (now) => now.turn === 0 && onTable(now.view) >= 4 && (now.decision.region || now.decision.spots),
  move: (now, share) => share > 0.2 && (now.decision.region?.reach || (now.decision.shape === 'place' && now.decision.unit)),
  shoot: (now, share) => share > 0.2 && now.decision.stakes && (aims(now.decision) || (now.decision.act === 'attack' && now.decision.options?.some((option) => option.about.targets?.length))),
  react: (now, share) => share > 0.12 && (now.decision.act === 'react' || /react/.test(now.decision.key))
}

/** Point at the far end of a move, so that its way is seen. */
async function pointing(page, now) {
  const region = now.decision?.region
  if (!region?.reach || !region.spots?.length) return
  const ends = region.spots.filter((spot) => spot.length).map((spot) => (Array.isArray(spot[0]) ? spot[spot.length - 1] : spot))
  const far = (spot) => Math.hypot(spot[0] - region.start[0], spot[1] - region.start[1])
  const goal = ends.sort((one, other) => far(other) - far(one))[0]
  const land = await page.locator('canvas.land').boundingBox()
  if (goal) await page.mouse.move(land.x + (goal[0] / now.view.table.width) * land.width, land.y + (goal[1] / now.view.table.height) * land.height)
}

async function take(context, name, link, now) {
  for (const [look, options, colorScheme] of LOOKS) {
    const page = await context.page(link, { ...options, colorScheme })
    await page.waitForLoadState('networkidle').catch(() => undefined)
    if (now?.decision) await pointing(page, now)
    await page.waitForTimeout(1200)
    await page.screenshot({ path: join(folder, `${name}-${look}.png`) })
    await page.close()
  }
  console.log(name)
}

const server = await startServer()
const browser = await launch()
try {
  for (const [ruleset, given] of wanted) {
    const context = contextFor(server, browser)
    const known = readdirSync(golden).filter((name) => name.startsWith(`${ruleset}-`) && name.endsWith('.json'))
    const scenario = given ?? SCENARIOS[ruleset]
    const kept = JSON.parse(readFileSync(join(golden, known.find((name) => name === `${ruleset}-${scenario}.json`) ?? known[0]), 'utf8'))
    const record = await context.api('/records', kept)
    const branch = (at) => context.api(`/records/${record.id}/branch`, { at, seats: [{ kind: 'human' }, { kind: 'human' }] })
    const begun = await branch(0)
    const open = new Map(Object.entries(MOMENTS))
    for (let at = 0; at < kept.choices.length && open.size; at += 1) {
      const now = await snapshot(context, begun.id, begun.table.token)
      if (!now.decision) break
      for (const [moment, is] of [...open])
        if (is(now, at / kept.choices.length)) {
          open.delete(moment)
          await take(context, `${ruleset}-${moment}`, begun.table.link, now)
          break
        }
      await context.api(`/games/${begun.id}/choices`, { decision: now.version, answer: kept.choices[at] }, begun.table.token)
    }
    for (const moment of open.keys()) console.log(`${ruleset}: it did not come to "${moment}"`)
    const ending = await branch(kept.choices.length - 1)
    const last = await snapshot(context, ending.id, ending.table.token)
    if (last.decision) await context.api(`/games/${ending.id}/choices`, { decision: last.version, answer: kept.choices.at(-1) }, ending.table.token)
    await take(context, `${ruleset}-result`, ending.table.link)
    for (const line of context.complaints) console.error(`${ruleset}: the page complained: ${line}`)
    await context.close()
  }
} finally {
  await browser.close()
  await server.end()
}
