// A whole small battle of every game, played in the browser from the first page to the result sheet by whoever presses what stands
// first: no request fails, nothing is complained about, and the presses of every activation are counted.

import { DESKTOP, atRest, must, until } from './kit.mjs'

const PATIENCE = 60_000

/** No unit may cost more presses than this on the average. */
const MOST_PRESSES = { dust1947: 5, konflikt47: 6 }

/** Decisions that belong to no activation of one's own: answers to the enemy, losses, the turn itself. */
const BESIDE = /react|casualt|retaliat|leader|^first$|^keep$|pool-order|exceptional|ambush/

/** Everything that goes wrong between page and server. */
function failures(page) {
  const failed = []
  page.on('response', async (answer) => {
    if (answer.status() < 400) return
    const { method, url, sent } = { method: answer.request().method(), url: new URL(answer.url()).pathname, sent: answer.request().postData() ?? '' }
    failed.push(`${answer.status()} ${method} ${url} ${sent.slice(0, 200)} ${(await answer.text().catch(() => '')).slice(0, 200)}`)
  })
  page.on('requestfailed', (request) => !/aborted/i.test(request.failure()?.errorText ?? '') && failed.push(`${request.url()} ${request.failure()?.errorText}`))
  page.on('console', (line) => line.type() === 'error' && !/Failed to load resource/.test(line.text()) && failed.push(line.text()))
  return failed
}

const seatOf = (page) => ({ id: new URL(page.url()).pathname.split('/')[2], token: new URL(page.url()).hash.slice(1) })
const versionOf = (page) => page.evaluate(() => Number(document.querySelector('.battle')?.dataset.version ?? -1))
const isOver = (page) => page.locator('.result').count()

/** Where a point of a measured table is on the screen. */
async function onScreen(page, table, [x, y]) {
  const land = await page.locator('canvas.land').boundingBox()
  return [land.x + (x / table.width) * land.width, land.y + (y / table.height) * land.height]
}

/** The spot of a suggestion that leads farthest up the table, where the enemy is. */
function forward(decision) {
  const ends = decision.region.spots.map((spot) => (decision.shape === 'path' ? spot.at(-1) : spot)).filter((spot) => spot?.length)
  return ends.sort((one, other) => one[1] - other[1])[0]
}

/** Answer the decision on screen as a player would who wants to get on; the number of presses. */
async function press(page, now) {
  const ask = page.locator('.ask')
  const click = async (locator) => locator.click({ timeout: 4000 }).then(() => 1)
  const { decision, view } = now
  if (decision.shape === 'place') {
    const squares = page.locator('.reach rect')
    const boxes = (await Promise.all((await squares.all()).map((one) => one.boundingBox()))).filter(Boolean).sort((one, other) => one.y - other.y)
    await page.mouse.click(boxes[0].x + boxes[0].width / 2, boxes[0].y + boxes[0].height * 0.75)
    await page.waitForTimeout(60)
    const facing = ask.locator('.pair button:enabled')
    return (await ask.getByText('which way does it face').count()) ? 1 + (await click(facing.first())) : 1
  }
  if (decision.region) {
    const spot = forward(decision)
    if (!spot) return click(ask.getByRole('button', { name: 'Stay' }))
    const at = await onScreen(page, view.table, spot)
    await page.mouse.move(...at)
    await page.mouse.click(...at)
    const go = ask.locator('.pair .loud:enabled')
    await go.waitFor({ timeout: 4000 })
    return 1 + (await click(go))
  }
  if (decision.shape === 'pick-some') {
    const ticks = ask.locator('.tick input:not(:checked)')
    let presses = 0
    while (!(await ask.locator('button.loud:enabled').count())) presses += await click(ticks.first())
    return presses + (await click(ask.locator('button.loud:enabled')))
  }
  const main = ask.locator('.pair .loud:enabled, .loud.all:enabled, .options .option:enabled, .numbers button:enabled, .pair button:enabled').first()
  return click(main)
}

/** A press that came to nothing (the spot was taken, the way not legal) is made good by the computer's advice, as anybody would. */
async function advised(page) {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Hint', exact: true }).click({ timeout: 4000 })
  await page.getByRole('button', { name: 'Do this' }).click({ timeout: 10_000 })
}

async function play(context, page, counted) {
  const seat = seatOf(page)
  for (let decided = 0; decided < 200; ) {
    await until(async () => (await isOver(page)) || ((await page.locator('.ask').count()) && !(await page.getByRole('button', { name: 'Stop deploying' }).count())), 'something to decide', PATIENCE)
    if (await isOver(page)) return
    const now = await context.api(`/games/${seat.id}`, undefined, seat.token)
    if (!now.decision?.mine || now.turn < 1 || now.version !== (await versionOf(page))) {
      await page.waitForTimeout(80)
      continue
    }
    const went = async (patience) => until(async () => (await isOver(page)) || (await versionOf(page)) !== now.version, 'the choice is made', patience).then(() => true, () => false)
    let presses = await press(page, now).catch(() => 0)
    if (!(await went(presses ? 8000 : 500))) {
      await advised(page).catch(() => undefined)
      presses += 2
      must(await went(PATIENCE), `"${now.decision.text}" can be answered`)
    }
    decided += 1
    if (!BESIDE.test(now.decision.key)) counted.presses += presses
    counted.all += presses
  }
  throw new Error('the battle does not end')
}

/** How many units of the learner's were activated, or given an order. */
function activations(told) {
  const mine = new Set(told.view.units.filter((unit) => unit.side === 0).map((unit) => unit.id))
  const done = told.log.filter((line) => mine.has(line.data.unit))
  const began = done.filter((line) => line.kind === (told.log.some((one) => one.kind === 'Activated') ? 'Activated' : 'Ordered'))
  return began.length - done.filter((line) => line.kind === 'Reacts').length
}

export const tests = ['dust1947', 'freeform1947', 'konflikt47', 'battlefield', 'warfare'].map((ruleset, number) => ({
  name: `a whole battle of ${ruleset} by the main choice: no request fails, presses per activation`,
  patience: 300_000,
  async run(context) {
    const lesson = (await context.api('/lessons')).find((one) => one.ruleset === ruleset)
    const page = await context.page('/learn', { ...DESKTOP, colorScheme: number % 2 ? 'dark' : 'light' })
    const failed = failures(page)
    await page.getByRole('button', { name: `Begin ${lesson.name}` }).click()
    await page.waitForURL('**/battle/**')
    const counted = { presses: 0, all: 0 }
    await play(context, page, counted)
    await atRest(page)
    const heading = await page.locator('.result h2').innerText()
    must(/win|draw/i.test(heading), `the result is told: ${heading}`)
    must(!/\b(red|blue)\b/.test(await page.locator('.result').innerText()), 'sides are called by their names')
    const log = await page.locator('.log').innerText()
    must(!/\((?:red|blue|a|b)-?\d+\)/.test(log), `ids in the report: ${/.{30}\((?:red|blue|a|b)-?\d+\)/.exec(log)}`)
    must(!/\b1 (pins|shots|hits|points|models|markers)\b/.test(log), `"${/\b1 (pins|shots|hits|points|models|markers)\b/.exec(log)?.[0]}" in the report`)
    await context.axe(page)
    const seat = seatOf(page)
    const told = await context.api(`/games/${seat.id}`, undefined, seat.token)
    await page.getByRole('link', { name: 'Result sheet' }).click()
    await page.locator('.sides section').nth(1).waitFor({ timeout: PATIENCE })
    await atRest(page)
    must(!failed.length, `${failed.length} failures: ${failed.slice(0, 4).join(' | ')}`)
    const each = counted.presses / Math.max(1, activations(told))
    console.log(`  ${ruleset}: ${each.toFixed(1)} presses an activation (${activations(told)} activations, ${counted.all} presses in the whole battle)`)
    must(each <= (MOST_PRESSES[ruleset] ?? 8), `${each.toFixed(1)} presses an activation are too many`)
  }
}))
