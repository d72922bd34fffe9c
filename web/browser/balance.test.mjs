// What is lopsided between equal players is said where one chooses: forces, battlefields, pairings; by mouse, keyboard and on a phone.

import { DESKTOP, PHONE, must, until } from './kit.mjs'

/** The games with what is lopsided in them, as the server tells it. */
async function games(context) {
  const playable = (await context.api('/rulesets')).filter((one) => one.playable)
  return Promise.all(playable.map(async ({ id }) => ({ id, ...(await context.api(`/balance?ruleset=${id}`)) })))
}

const forces = (page) => page.locator('.force select')
const says = (page, text) => page.locator('.lopsided', { hasText: text }).first().waitFor()
const described = (locator) => locator.evaluate((node) => document.getElementById(node.getAttribute('aria-describedby'))?.textContent.replaceAll('\u00a0', ' ').trim() ?? '')

/** Walk a focused list of choices by its arrow keys. */
async function walkTo(page, select, wanted) {
  await select.focus()
  await page.keyboard.press('Home')
  for (let i = 0; i < 30 && (await select.inputValue()) !== wanted; i += 1) await page.keyboard.press('ArrowDown')
  must((await select.inputValue()) === wanted, `${wanted} is reached by the keyboard`)
}

async function uneven(context, game, options) {
  const [one, other] = game.pairings[0].armies
  const page = await context.page(`/new?game=${game.id}`, options)
  await until(() => forces(page).first().locator(`option[value="${one}"]`).count(), 'the forces are listed')
  for (const [seat, army] of [one, other].entries()) {
    const select = forces(page).nth(seat)
    await walkTo(page, select, army)
    const note = game.armies[army]
    must((await described(select)) === (note?.text ?? ''), `${army} is described by its note`)
    const label = await select.locator('option:checked').innerText()
    must(!note || label.endsWith(`, ${note.short}`), `the choice itself says it: ${label}`)
  }
  await says(page, game.pairings[0].text)
  must(await page.locator('.lopsided', { hasText: game.pairings[0].text }).locator('svg').isVisible(), 'there is a mark beside the words')
  must((await page.locator('.lopsided').first().getAttribute('aria-live')) === 'polite', 'a change is read aloud')
  await context.axe(page)
  must(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen')
  // An army against itself is even.
  await walkTo(page, forces(page).nth(1), one)
  await until(async () => !(await page.getByText(game.pairings[0].text).count()), 'the sentence goes')
}

export const tests = [
  {
    name: 'lopsided forces and their pairing are told in every game, and nothing where nothing is proven',
    async run(context) {
      const all = await games(context)
      must(all.some((game) => game.pairings.length), 'some game has an uneven pairing')
      for (const game of all.filter((one) => one.pairings.length)) await uneven(context, game, DESKTOP)
      for (const game of all.filter((one) => !Object.keys(one.armies).length)) {
        const page = await context.page(`/new?game=${game.id}`)
        await until(() => forces(page).first().locator('option').count(), 'the forces are listed')
        await page.waitForLoadState('networkidle')
        must(!(await page.locator('.lopsided p').count()), `${game.id}: nothing is said`)
      }
    }
  },
  {
    name: 'lopsided forces are told on a phone by lamplight, at the table and in the army builder',
    async run(context) {
      const game = (await games(context)).find((one) => one.pairings.length)
      const phone = { ...PHONE, colorScheme: 'dark' }
      await uneven(context, game, phone)
      const [army, note] = Object.entries(game.armies)[0]
      const table = await context.page('/table', phone)
      await table.getByLabel('Game').selectOption(game.id)
      await table.locator(`fieldset select option[value="${army}"]`).first().waitFor({ state: 'attached' })
      await table.locator('fieldset select').first().selectOption(army)
      await says(table, note.text)
      await context.axe(table)
      const builder = await context.page('/armies', phone)
      await builder.getByLabel('Game').selectOption(game.id)
      await builder.locator(`#army-load option[value="starter:${army}"]`).waitFor({ state: 'attached' })
      await builder.locator('#army-load').selectOption(`starter:${army}`)
      await says(builder, note.text)
      must(await builder.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen')
    }
  },
  {
    name: 'a lopsided battlefield says whom it favours and whose side that is',
    async run(context) {
      for (const game of await games(context))
        for (const [scenario, note] of Object.entries(game.scenarios)) {
          const page = await context.page(`/new?game=${game.id}`)
          const board = page.locator(`.board:has(input[value="${scenario}"])`)
          await board.getByText(note.short).waitFor()
          must(await board.locator('.leans svg').isVisible(), 'the board has a mark')
          await page.getByRole('radio', { name: note.short }).first().focus()
          await page.keyboard.press('Space')
          const [mine, theirs] = note.side ? ["the computer's", 'yours'] : ['yours', "the computer's"]
          await says(page, `${note.text} That side is ${mine}.`)
          await page.getByRole('button', { name: 'Change sides' }).click()
          await says(page, `${note.text} That side is ${theirs}.`)
          await context.axe(page)
        }
    }
  }
]
