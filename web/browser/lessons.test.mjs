// The first evening: from the first page into the coached battle, every lesson played through, by hand and by keys.

import { DESKTOP, PHONE, atRest, must, until } from './kit.mjs'

const coachOf = (page) => page.getByRole('region', { name: 'The lesson' })
const versionOf = (page) => page.locator('.battle').getAttribute('data-version')
const seatOf = (page) => ({ id: new URL(page.url()).pathname.split('/')[2], token: new URL(page.url()).hash.slice(1) })

/** The learner's decision is on screen, or the battle is over. */
async function ready(page) {
  await until(
    async () => (await page.locator('.result').count()) || ((await page.locator('.ask').count()) && !(await page.getByRole('button', { name: 'Stop deploying' }).count())),
    'something to decide',
    40_000
  )
}

async function moved(page, before) {
  await until(async () => (await page.locator('.result').count()) || (await versionOf(page)) !== before, 'the choice is made', 30_000)
}

/** Has the learner shot? */
const hasShot = async (context, seat) => {
  const told = await context.api(`/games/${seat.id}`, undefined, seat.token)
  return told.log.some((line) => line.kind === 'Rolled' && line.data.player === 0 && /hit/.test(line.data.label ?? ''))
}

/** What a newcomer presses who wants to shoot: the words of the buttons say it. The number of presses, none if it came too late. */
async function press(page) {
  const ask = page.locator('.ask')
  const click = (locator) => locator.click({ timeout: 3000 }).then(() => 1, () => 0)
  const fire = ask.locator('.pair .loud:enabled')
  if (await fire.count()) return click(fire.first())
  const options = ask.locator('.options button:enabled')
  const words = await options.allInnerTexts()
  const wanted = [/sustained/i, /attack|fire/i, /pounder/i].map((pattern) => words.findIndex((text) => pattern.test(text))).find((at) => at >= 0)
  if (words.length) return click(options.nth(wanted ?? 0))
  const square = page.locator('.reach rect').first()
  if (await square.count()) return click(square)
  return click(ask.locator('button:enabled').last())
}

/** Answer as the computer advises, over the API: the lesson itself is watched on screen. */
async function followHints(context, seat, most = 160) {
  for (let i = 0; i < most; i += 1) {
    const now = await context.api(`/games/${seat.id}`, undefined, seat.token)
    if (now.over) return
    if (!now.decision?.mine) {
      await new Promise((done) => setTimeout(done, 80))
      continue
    }
    const hint = await context.api(`/games/${seat.id}/hint`, undefined, seat.token)
    await context.api(`/games/${seat.id}/choices`, { decision: hint.version, answer: hint.answer }, seat.token).catch(() => undefined)
  }
  throw new Error('the lesson does not end')
}

export const tests = [
  {
    name: 'from the first page to the first shot of the coached battle in at most 8 presses',
    async run(context) {
      const page = await context.page('/')
      let presses = 1
      await page.getByRole('button', { name: 'Play your first battle' }).click()
      await coachOf(page).waitFor()
      const seat = seatOf(page)
      while (!(await hasShot(context, seat))) {
        must(presses < 8, 'eight presses are enough')
        await ready(page)
        const before = await versionOf(page)
        const pressed = await press(page)
        if (!pressed) continue
        presses += pressed
        await page.waitForTimeout(120)
        if (!(await page.locator('.ask .pair .loud:enabled').count())) await moved(page, before)
      }
      console.log(`  from the first page to the first shot: ${presses} presses`)
    }
  },
  {
    name: 'the first shot of the coached battle can be fired by keys alone',
    async run(context) {
      const page = await context.page('/')
      const red = page.getByRole('button', { name: 'Play your first battle' })
      await until(async () => {
        await page.keyboard.press('Tab')
        return red.evaluate((node) => node === document.activeElement)
      }, 'Tab reaches the red button')
      await page.keyboard.press('Enter')
      await coachOf(page).waitFor()
      const seat = seatOf(page)
      for (let i = 0; i < 14 && !(await hasShot(context, seat)); i += 1) {
        await ready(page)
        const before = await versionOf(page)
        const words = await page.locator('.ask .options button:enabled').allInnerTexts()
        const wanted = words.findIndex((text) => /sustained/i.test(text))
        if (words.length) await page.keyboard.press(String(Math.max(0, wanted) + 1))
        else await page.keyboard.press('Space')
        await moved(page, before)
      }
      must(await hasShot(context, seat), 'a shot is fired')
    }
  },
  ...['dust1947', 'freeform1947', 'konflikt47', 'battlefield', 'warfare'].map((ruleset, number) => ({
    name: `the lesson of ${ruleset} is learnt step by step`,
    patience: 240_000,
    async run(context) {
      const lessons = (await context.api('/lessons')).filter((one) => one.ruleset === ruleset)
      must(lessons.length > 0, `${ruleset} has a lesson`)
      for (const lesson of lessons) {
        const page = await context.page('/learn', number === 2 ? PHONE : DESKTOP)
        await page.getByRole('button', { name: `Begin ${lesson.name}` }).click()
        const coach = coachOf(page)
        await coach.getByRole('heading').waitFor()
        await ready(page)
        const title = await coach.getByRole('heading').innerText()
        await atRest(page)
        await context.axe(page)
        must([...lesson.steps, ...lesson.asides].some((one) => one.title === title), `the coach speaks of the lesson, not of ${title}`)
        await followHints(context, seatOf(page))
        await coach.getByRole('heading', { name: 'Well fought' }).waitFor({ timeout: 60_000 })
        const open = await coach.locator('.steps li:not(.done)').evaluateAll((all) => all.map((one) => one.title))
        const owed = open.filter((title) => !lesson.steps.find((step) => step.title === title)?.chance)
        must(owed.length === 0, `not learnt: ${owed.join(', ')}`)
        must((await coach.innerText()).includes(lesson.end.slice(0, 40)), 'the coach says good-bye')
      }
    }
  }))
]
