// What a first evening asks of the pages: a link that works for a friend, talk that is noticed, search that forgives, odds of every game.

import { PHONE, begin, must, until } from './kit.mjs'

const onTable = (page) => page.waitForSelector('.ask, .theirs')

export const tests = [
  {
    name: 'the first page shows every game, continues a battle, and says whose turn it is',
    async run(context) {
      const page = await context.page('/')
      const games = (await context.api('/rulesets')).filter((one) => one.playable)
      await page.locator('.games li').nth(games.length - 1).waitFor()
      await until(async () => (await page.locator('.games .diorama').count()) === games.length, 'every game has its picture', 60_000)
      must(!(await page.getByRole('region', { name: 'Continue' }).count()), 'a newcomer has nothing to continue')
      await page.getByRole('button', { name: /^Learn .* minutes/ }).first().click()
      await onTable(page)
      await page.goto(context.base + '/')
      await page.getByRole('link', { name: /^Continue .*: your turn/ }).waitFor()
      must((await page.getByRole('button', { name: 'Play your first battle' }).count()) === 0, 'who has games is no newcomer')
      await page.getByRole('link', { name: /^Continue .*: your turn/ }).click()
      await onTable(page)
    }
  },
  {
    name: 'a link that works here only says so, and one for the network has a QR code',
    async run(context) {
      const page = await context.page('/new')
      await page.getByText('Somebody by link').click()
      await page.locator('form button.loud:enabled').click()
      await page.getByText('This address works on this machine only.').first().waitFor()
      await page.getByText('make play LAN=1').first().waitFor()
      must((await page.getByRole('img', { name: /QR code/ }).count()) === 0, 'no code for an address nobody can open')
      await context.axe(page)
      await page.route('**/api/reach', (route) => route.fulfill({ json: { open: true, origins: ['http://192.168.1.5:8047'], command: '' } }))
      await page.getByRole('link', { name: 'To the table' }).click()
      await onTable(page)
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('button', { name: 'Invite Guest' }).click()
      await page.getByText('http://192.168.1.5:8047/battle/').waitFor()
      await page.getByRole('img', { name: 'QR code of the link for Guest' }).waitFor()
      await context.axe(page)
    }
  },
  {
    name: 'talk that was not read is counted on its tab, on a desk and on a phone',
    async run(context) {
      const begun = await begin(context, 'dust1947')
      const [mine, theirs] = begun.seats
      for (const options of [undefined, PHONE]) {
        const page = await context.page(mine.link, options)
        await onTable(page)
        await context.api(`/games/${begun.id}/chat`, { text: 'Ready?' }, theirs.token)
        const badge = page.locator('.badge:visible')
        await badge.waitFor()
        must(/^[12]\s+unread$/.test((await badge.innerText()).trim()), `the badge says ${await badge.innerText()}`)
        await (options ? page.locator('.switch').getByRole('button', { name: /Talk/ }) : page.getByRole('tab', { name: /Talk/ })).click()
        await until(async () => (await badge.count()) === 0, 'reading it takes the badge away')
        await page.reload()
        await onTable(page)
        must((await badge.count()) === 0, 'what was read stays read')
      }
    }
  },
  {
    name: 'the search of the rules forgives slips, words of other games and questions, and says when it finds nothing',
    async run(context) {
      const page = await context.page('/rules')
      const ask = async (words, heading) => {
        await page.getByLabel('Search the rules').fill(words)
        await page.getByText('nearest').waitFor()
        await page.locator('article.rule', { hasText: heading }).first().waitFor()
      }
      await ask('retaliaton', 'Retaliation')
      await ask('can I shoot thru smoek?', /smoke/i)
      await ask('overwatch', /react/i)
      await page.getByLabel('Search the rules').fill('xyzzyq')
      await page.getByText('speaks of “xyzzyq”').waitFor()
    }
  },
  {
    name: 'a rule has its drawing in the book',
    async run(context) {
      const page = await context.page('/rules/d47.attack.los.corner_gives_cover')
      const drawing = page.locator('article.rule img')
      await drawing.waitFor()
      await until(() => drawing.evaluate((node) => node.complete && node.naturalWidth > 100), 'the drawing is there')
    }
  },
  {
    name: 'the page of odds answers for every game, by what that game asks',
    patience: 180_000,
    async run(context) {
      const page = await context.page('/odds')
      const choice = page.getByLabel('Game', { exact: true })
      await until(async () => (await choice.locator('option').count()) >= 5, 'the games are listed')
      for (const game of await choice.locator('option').evaluateAll((all) => all.map((one) => one.value))) {
        await choice.selectOption(game)
        await until(async () => (await page.locator('.situation label').count()) > 3 && !(await page.locator('.problem').count()), `${game} asks something`)
        await page.locator('.sum .big').first().waitFor()
        must(/\d %/.test(await page.locator('.sum').innerText()), `${game} tells a chance`)
      }
    }
  },
  {
    name: 'what is wrong with a dropped file is told where it was dropped',
    async run(context) {
      const page = await context.page('/armies')
      await page.getByRole('heading', { name: 'Armies' }).waitFor()
      const data = await page.evaluateHandle(() => {
        const transfer = new DataTransfer()
        transfer.items.add(new File(['no roster at all'], 'holiday.ros'))
        return transfer
      })
      await page.dispatchEvent('[aria-label="Army builder"]', 'drop', { dataTransfer: data, clientX: 300, clientY: 400 })
      const told = page.getByRole('alert').filter({ hasText: 'holiday.ros' })
      await told.waitFor()
      const box = await told.boundingBox()
      must(Math.abs(box.x - 300) < 30 && Math.abs(box.y - 400) < 30, `it is told at ${box.x}, ${box.y}`)
    }
  }
]
