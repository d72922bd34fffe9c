// Puzzles: the one of the day on its page, one solved on the table with a verdict and a reason, one given up.

import { DESKTOP, PHONE, answerByClicks, atRest, chance, must, until } from './kit.mjs'

const coachOf = (page) => page.getByRole('region', { name: 'The puzzle' })

async function open(context, device) {
  const page = await context.page('/puzzles', device)
  await page.getByRole('region', { name: 'Puzzle of the day' }).getByRole('button').waitFor()
  return page
}

export const tests = [
  {
    name: 'puzzles are found from the first page, by day and by theme',
    async run(context) {
      const page = await context.page('/', DESKTOP)
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Puzzles' }).click()
      const today = page.getByRole('region', { name: 'Puzzle of the day' })
      await today.locator('svg').first().waitFor()
      const all = page.getByRole('region', { name: 'All puzzles' })
      const before = await all.locator('li').count()
      must(before >= 40, `only ${before} puzzles are listed`)
      await all.getByLabel('Theme').selectOption('attack')
      const shooting = await all.locator('li').count()
      must(shooting > 0 && shooting < before, `${shooting} of ${before} are about shooting`)
      must((await all.locator('li', { hasText: /shooting/ }).count()) === shooting, 'a puzzle of another theme is listed')
      await context.axe(page)
    }
  },
  {
    name: 'an activation in a puzzle is judged, with the reason',
    async run(context) {
      const page = await open(context, DESKTOP)
      await page.getByLabel('Game').selectOption({ label: 'Dust 1947' })
      await page.getByRole('region', { name: 'All puzzles' }).getByRole('button', { name: /^Solve/ }).first().click()
      const coach = coachOf(page)
      await coach.getByText(/chance to win is about\s+\d+\s%/).waitFor()
      await atRest(page)
      const roll = chance(3)
      for (let i = 0; i < 40 && !(await coach.getByRole('heading', { name: /^(Right|Not the best)$/ }).count()); i += 1) {
        await until(async () => (await page.locator('.ask').count()) || (await coach.getByRole('button', { name: 'Next puzzle' }).count()), 'something to decide', 30_000)
        if (await coach.getByRole('button', { name: 'Next puzzle' }).count()) break
        await answerByClicks(page, roll)
      }
      await coach.getByRole('heading', { name: /^(Right|Not the best)$/ }).waitFor()
      await coach.getByText(/next best plan found/).waitFor()
      await coach.getByRole('button', { name: 'Once more' }).click()
      await coachOf(page).getByRole('heading', { name: 'Your move' }).waitFor()
      await page.goto(`${context.base}/puzzles`)
      await page.locator('li', { hasText: /solved|missed/ }).first().waitFor()
    }
  },
  {
    name: 'whoever gives a puzzle up on a phone is told the solution',
    async run(context) {
      const page = await open(context, PHONE)
      const asked = []
      const failed = []
      page.on('response', (answer) => {
        if (/\/puzzle(\?|$)/.test(answer.url())) asked.push(answer.url())
        if (answer.status() >= 400) failed.push(`${answer.status()} ${answer.url()}`)
      })
      await page.getByRole('button', { name: 'Solve it' }).click()
      const coach = coachOf(page)
      await coach.getByRole('button', { name: 'Show the solution' }).click()
      await coach.getByRole('heading', { name: 'The solution' }).waitFor()
      await coach.getByText(/It leads to a chance to win/).waitFor()
      await page.waitForTimeout(1500)
      must(await coach.getByRole('heading', { name: 'The solution' }).count(), 'the solution stays')
      must(asked.length <= 4, `the verdict is asked for when something has happened, not ${asked.length} times`)
      must(!failed.length, failed.join(' '))
      const rules = await coach.locator('.rule').allInnerTexts()
      must(rules.every((name) => !/^\w+\.\w+/.test(name)), `rules are called by their names: ${rules}`)
    }
  }
]
