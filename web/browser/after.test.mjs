// After the battle: the result sheet, the review with its curve, and the rematch with sides changed.

import { PHONE, begin, must, playOn, until } from './kit.mjs'

const CROSSROADS = { ruleset: 'dust1947', scenario: 'crossroads', armies: ['dust1947-allies', 'dust1947-axis'] }
const PEOPLE = [{ kind: 'human', name: 'Ann' }, { kind: 'human', name: 'Bob' }]

/** A battle that went on for a while and was given up. */
async function fought(context, ruleset, choices = 60) {
  const begun = await begin(context, ruleset)
  const now = await playOn(context, begun, (seen) => seen.choices >= choices, 5)
  if (!now.over) await context.api(`/games/${begun.id}/concede`, { seat: 1 }, begun.table.token)
  return begun
}

/** Judging takes its time, so it is waited for on one table of each kind; the server's own tests see every game. */
const JUDGED = ['dust1947', 'konflikt47']

async function openActivation(context, page, begun, where) {
  const told = await until(
    async () => {
      const review = await context.api(`/games/${begun.id}/review`, undefined, begun.table.token)
      return review.activations.some((one) => review.moments[one.moment].player === 0) && review
    },
    'an activation of the first side is judged',
    180_000
  )
  await page.getByLabel('only what gave something up').uncheck()
  const own = told.activations.find((one) => told.moments[one.moment].player === 0)
  await page.locator('.acts li button').first().click()
  await until(async () => Number(await where()) === told.moments[own.moment].choice, 'an activation leads into the replay')
}

export const tests = [
  {
    name: 'a rematch changes sides, and everybody finds it from the table of the last battle',
    patience: 90_000,
    async run(context) {
      const begun = await context.api('/games', { ...CROSSROADS, seats: PEOPLE })
      const [ann, bob] = await Promise.all(begun.seats.map((seat) => context.page(seat.link)))
      await context.api(`/games/${begun.id}/concede`, { seat: 0 }, begun.seats[0].token)
      await ann.getByRole('button', { name: 'Rematch, sides changed' }).click()
      await ann.waitForURL((url) => !url.href.includes(begun.id))
      await bob.getByRole('button', { name: 'To the rematch' }).click()
      await bob.waitForURL((url) => !url.href.includes(begun.id))
      must(new URL(ann.url()).pathname === new URL(bob.url()).pathname, 'both meet at one table')
      const id = new URL(ann.url()).pathname.split('/')[2]
      const seats = await Promise.all(begun.seats.map((seat) => context.api(`/games/${id}`, undefined, seat.token)))
      must(String(seats[0].yours) === '1' && String(seats[1].yours) === '0', 'their sides are changed')
      await ann.locator('.decide').waitFor()
      await context.axe(ann)
    }
  },
  {
    name: 'a finished game is shared once both have ticked the box',
    patience: 90_000,
    async run(context) {
      const begun = await context.api('/games', { ...CROSSROADS, seats: PEOPLE })
      await context.api(`/games/${begun.id}/concede`, { seat: 0 }, begun.seats[0].token)
      const [ann, bob] = await Promise.all(begun.seats.map((seat) => context.page(seat.link)))
      await ann.getByRole('checkbox', { name: /Share this game/ }).check()
      await ann.getByText('Shared as soon as the other side agrees.').waitFor()
      await bob.getByRole('checkbox', { name: /Share this game/ }).check()
      await bob.getByText('It is shared.').waitFor()
      const open = await context.api('/shared-games')
      must(open.some((game) => game.id === begun.id), 'everybody may read it')
      await context.axe(bob)
    }
  },
  {
    name: 'two people at one screen and a person against the computer get their rematch',
    patience: 90_000,
    async run(context) {
      for (const seats of [PEOPLE, [{ kind: 'human', name: 'Ann' }, { kind: 'computer', level: 'random' }]]) {
        const begun = await context.api('/games', { ...CROSSROADS, seats })
        await context.api(`/games/${begun.id}/concede`, { seat: 0 }, begun.table.token)
        const page = await context.page(begun.table.link)
        await page.getByRole('button', { name: 'Rematch, sides changed' }).click()
        await page.waitForURL((url) => !url.href.includes(begun.id))
        await page.locator('.ask, .theirs').first().waitFor()
        const id = new URL(page.url()).pathname.split('/')[2]
        const now = await context.api(`/games/${id}`, undefined, begun.table.token)
        must(now.seats[1].name === 'Ann', 'Ann has the other side')
      }
    }
  },
  {
    name: 'every game is reviewed: a curve one can walk along, turning points and activations that lead into the replay',
    patience: 400_000,
    async run(context) {
      for (const { id: ruleset } of (await context.api('/rulesets')).filter((one) => one.playable)) {
        const begun = await fought(context, ruleset, 40)
        const page = await context.page(`/replay/${begun.id}?tab=review#${begun.table.token}`)
        const failed = []
        page.on('response', (answer) => answer.status() >= 400 && failed.push(`${answer.status()} ${answer.url()}`))
        const chart = page.getByRole('slider', { name: /chance to win/ })
        await chart.waitFor({ timeout: 60_000 })
        const where = () => page.getByRole('slider', { name: 'Moment of the battle' }).inputValue()
        await chart.focus()
        await page.keyboard.press('End')
        const end = await where()
        await page.keyboard.press('ArrowLeft')
        await until(async () => Number(await where()) < Number(end), `${ruleset}: the arrow goes back along the curve`)
        must(/% to win/.test(await chart.getAttribute('aria-valuetext')), `${ruleset}: the moment is told in words`)
        const box = await chart.boundingBox()
        await page.mouse.click(box.x + box.width * 0.6, box.y + box.height / 2)
        const there = Number(await where())
        must(there > 0 && there < Number(end), `${ruleset}: a click leads to its moment (${there} of ${end})`)
        if (JUDGED.includes(ruleset)) await openActivation(context, page, begun, where)
        must(!failed.length, `${ruleset}: ${failed.join(', ')}`)
        await context.axe(page).catch((error) => Promise.reject(new Error(`${ruleset}: ${error.message}`)))
        await page.close()
      }
    }
  },
  {
    name: 'the result sheet tells losses and who held what, on a desk and on a phone',
    patience: 120_000,
    async run(context) {
      const begun = await fought(context, 'dust1947', 100)
      for (const options of [undefined, { ...PHONE, colorScheme: 'dark' }]) {
        const page = await context.page(`/result/${begun.id}#${begun.table.token}`, options)
        await page.locator('.sides section').nth(1).waitFor({ timeout: 60_000 })
        const told = await page.locator('article').innerText()
        must(/points lost/.test(told) && /wins|concedes/.test(told), 'result and losses are told')
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        must(wide <= 0, `the sheet is ${wide} px too wide`)
        await context.axe(page)
      }
    }
  },
  {
    name: 'two computers are watched step by step, and the table is saved as a picture',
    patience: 90_000,
    async run(context) {
      const page = await context.page('/new')
      await page.getByLabel('Two computers, and I watch').check()
      await page.getByRole('button', { name: 'To battle' }).click()
      await page.locator('.battle .counter').first().waitFor()
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('button', { name: 'Look' }).click()
      await page.getByRole('button', { name: 'Step by step' }).click()
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save a picture of the table' }).click()])
      must(file.suggestedFilename().endsWith('.png'), 'the picture is a PNG')
      await page.getByRole('button', { name: 'Close the menu' }).click()
      const next = page.getByRole('button', { name: 'Next step of the computer' })
      await next.waitFor()
      const version = async () => Number(await page.locator('.battle').getAttribute('data-version'))
      const held = await version()
      await page.waitForTimeout(1200)
      must((await version()) === held, 'nothing goes on without a press')
      await next.click()
      await until(async () => (await version()) > held, 'a press goes on')
      await context.axe(page)
    }
  }
]
