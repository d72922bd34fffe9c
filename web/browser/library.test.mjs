// Rules, cards, odds, armies, replays, the guided battle, the companion: found, shared, read aloud, without a connection.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DESKTOP, PHONE, answerByClicks, chance, must, until } from './kit.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const command = process.env.DIESELFRONT ?? join(root, '.venv/bin/dieselfront')
const ROSTER = join(root, 'tests/forces/files/roster.ros')
const DARK = { ...DESKTOP, colorScheme: 'dark' }

const made = {}
/** The record of a whole battle between two computers. */
function record(ruleset = 'dust1947') {
  if (made[ruleset]) return made[ruleset]
  const folder = mkdtempSync(join(tmpdir(), 'dieselfront-record-'))
  try {
    const options = ['simulate', '--ruleset', ruleset, '--games', '1', '--seed', '7', '--players', 'random,random', '--workers', '1', '--save', folder]
    execFileSync(command, options, { stdio: 'ignore' })
    made[ruleset] = readFileSync(join(folder, readdirSync(folder)[0]), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return made[ruleset]
}

const upload = (context, text = record()) => context.api('/records', JSON.parse(text))

/** Drop a file on the page, as from a desktop. */
async function drop(page, target, name, content) {
  const data = await page.evaluateHandle(
    ([called, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], called))
      return transfer
    },
    [name, content]
  )
  await page.dispatchEvent(target, 'dragover', { dataTransfer: data })
  await page.dispatchEvent(target, 'drop', { dataTransfer: data })
}

async function versionAfter(page, before) {
  await page
    .waitForFunction((was) => document.querySelector('.battle')?.dataset.version !== was || document.querySelector('.problem'), before, { timeout: 15_000 })
    .catch(() => undefined)
}

/** Answer decisions until something holds. */
async function walk(page, roll, stop, most = 200) {
  for (let i = 0; i < most; i += 1) {
    if (await stop()) return
    if (!(await page.locator('.ask').count())) {
      await page.waitForSelector('.ask, .result', { timeout: 30_000 })
      if (await page.locator('.result').count()) return
      continue
    }
    const before = await page.evaluate(() => document.querySelector('.battle')?.dataset.version)
    const shape = await answerByClicks(page, roll).catch((error) => (/Timeout|detached/.test(error.message) ? null : Promise.reject(error)))
    if (shape) await versionAfter(page, before)
  }
  throw new Error('it did not come to that')
}

export const tests = [
  {
    name: 'rules are found while typing, lead to each other and have addresses',
    async run(context) {
      const page = await context.page('/rules')
      await page.getByLabel('Search the rules').fill('low wall')
      await page.getByRole('heading', { name: 'Crossing low walls' }).waitFor()
      must(new URL(page.url()).searchParams.get('q') === 'low wall', 'the address holds the search')
      await page.goto(`${context.base}/rules/d47.attack.save.infantry_cover`)
      await page.getByRole('heading', { name: 'Infantry cover save' }).waitFor()
      await page.getByRole('link', { name: 'Grenade weapons' }).first().click()
      await page.getByRole('heading', { level: 2, name: 'Grenade weapons' }).waitFor()
      must(page.url().includes('/rules/d47.'), 'a rule has its own address')
    }
  },
  {
    name: 'rules and cards can be read without the server',
    async run(context) {
      const page = await context.page('/rules')
      await page.getByRole('heading', { name: 'Rules' }).waitFor()
      await page.evaluate(async () => {
        const ready = await navigator.serviceWorker.ready
        ready.active.postMessage('library')
      })
      await until(
        () => page.evaluate(async () => (await (await caches.open('dieselfront-library')).keys()).length >= 7),
        'the library is kept'
      )
      await context.server.stop()
      try {
        await page.goto(`${context.base}/rules?q=suppression`)
        await page.locator('article.rule').first().waitFor()
        await page.goto(`${context.base}/rules/k47.core.los_area`)
        await page.locator('article.rule.whole').waitFor()
        await page.goto(`${context.base}/cards`)
        await page.locator('.tile').first().waitFor()
        await page.goto(`${context.base}/odds`)
        await page.getByRole('heading', { name: 'Bare dice' }).waitFor()
      } finally {
        await context.server.start()
      }
    }
  },
  {
    name: 'cards are filtered and opened',
    async run(context) {
      const page = await context.page('/cards')
      await page.getByText('333 cards').waitFor()
      await page.getByLabel('Bloc').selectOption('Axis')
      await page.getByLabel('Words').fill('ludwig')
      await page.locator('.tile', { hasText: 'Ludwig' }).first().click()
      await page.getByRole('heading', { name: 'Ludwig', exact: true }).waitFor()
      must((await page.locator('.detail').innerText()).includes('Dual Anti-Tank Guns'), 'the card shows its weapons')
      await page.getByRole('link', { name: 'Odds as attacker' }).click()
      await until(() => page.getByRole('combobox', { name: 'Attacker' }).inputValue().then((value) => value === 'Ludwig'), 'the attacker is Ludwig')
    }
  },
  {
    name: 'odds are exact and can be shared by their address',
    async run(context) {
      const page = await context.page('/odds?attacker=allies-ranger-weapon-squad&target=axis-sturmgrenadier-assault-squad')
      await page.getByText('27.3 %').first().waitFor()
      await page.getByLabel('The target is in cover').check()
      await until(() => page.locator('.big').first().innerText().then((text) => !text.startsWith('27.3')), 'cover changes the odds')
      const told = await page.locator('.big').first().innerText()
      must(page.url().includes('cover=1'), 'the address holds the question')
      const other = await context.page(page.url().slice(context.base.length))
      await other.locator('.big').first().waitFor()
      must((await other.locator('.big').first().innerText()) === told, 'the shared address shows the same odds')
    }
  },
  {
    name: 'a roster is imported by dropping it, checked, mended and printed',
    async run(context) {
      const page = await context.page('/armies')
      await page.getByRole('heading', { name: 'Armies' }).waitFor()
      await drop(page, '[aria-label="Army builder"]', 'friday.ros', readFileSync(ROSTER, 'utf8'))
      await until(() => page.getByLabel('Name', { exact: true }).inputValue().then((name) => name === 'Friday night'), 'the list is read')
      await page.getByText('No card for').waitFor()
      await page.getByText('The list is legal.').waitFor()
      await page.getByLabel('Limit').fill('20')
      await page.getByLabel('Limit').blur()
      await page.getByText('the limit is 20').waitFor()
      await page.getByLabel('Limit').fill('60')
      await page.getByLabel('Limit').blur()
      await page.getByText('The list is legal.').waitFor()
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Print cards (PDF)' }).click()])
      must(file.suggestedFilename() === 'Friday-night.pdf', 'a sheet of cards comes as PDF')
      await page.reload()
      await until(() => page.getByLabel('Name', { exact: true }).inputValue().then((name) => name === 'Friday night'), 'the list is kept')
    }
  },
  {
    name: 'a record is brought along, scrubbed and played on from the middle',
    async run(context) {
      const page = await context.page('/replay')
      await drop(page, '[aria-label="Replays"]', 'battle.json', record())
      await page.waitForURL('**/replay/record/**')
      const line = page.getByLabel('Moment of the battle')
      await line.waitFor()
      const last = Number(await line.getAttribute('max'))
      const middle = Math.floor(last / 2)
      await line.fill(String(middle))
      await page.getByText(`${middle}/${last}`).waitFor()
      await page.getByRole('button', { name: 'On', exact: true }).click()
      await page.getByText(`${middle + 1}/${last}`).waitFor()
      must((await page.locator('.counter').count()) > 2, 'the counters are on the board')
      await page.getByRole('tab', { name: 'Luck' }).click()
      await page.getByText('The wildest throws').waitFor()
      await page.getByRole('button', { name: 'Play on from here' }).click()
      await page.getByRole('button', { name: 'Begin', exact: true }).click()
      await page.waitForURL('**/battle/**')
      await page.waitForSelector('.ask, .theirs')
      const id = new URL(page.url()).pathname.split('/')[2]
      const told = await context.api(`/games/${id}`, undefined, new URL(page.url()).hash.slice(1))
      must(told.choices >= middle + 1, 'the branch begins where the replay stood')
    }
  },
  {
    name: 'the dice of a battle are thrown again in the browser, and a false seed is found out',
    async run(context) {
      const { id } = await upload(context)
      const page = await context.page(`/replay/record/${id}`)
      await page.getByRole('tab', { name: 'Dice' }).click()
      await page.getByRole('button', { name: 'Throw all dice again' }).click()
      await page.getByText('Every die is proven').waitFor()
      // The same page, told another seed by a server that lies.
      await page.route(`**/api/records/${id}`, async (route) => {
        const answer = await route.fetch()
        const story = await answer.json()
        await route.fulfill({ response: answer, json: { ...story, seed: 'another' } })
      })
      await page.reload()
      await page.getByRole('tab', { name: 'Dice' }).click()
      await page.getByRole('button', { name: 'Throw all dice again' }).click()
      await page.getByText('does not fit the published hash').waitFor()
    }
  },
  {
    name: 'the dice of Konflikt ’47 are proven as well, draws from the cup and all, and without WebCrypto too',
    patience: 240_000,
    async run(context) {
      const { id } = await upload(context, record('konflikt47'))
      const story = await context.api(`/records/${id}`)
      const shown = story.log.reduce((sum, line) => sum + (line.data.stages ?? []).filter(([, faces]) => faces.length).length, 0)
      const bare = { through: (page) => page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })) }
      for (const options of [DESKTOP, { ...DESKTOP, line: bare }]) {
        const page = await context.page(`/replay/record/${id}`, options)
        await page.getByRole('tab', { name: 'Dice' }).click()
        await page.getByRole('button', { name: 'Throw all dice again' }).click()
        await page.locator('.verdict').waitFor({ timeout: 60_000 })
        const told = await page.locator('.verdict').innerText()
        // The headline claims no more than the log shows.
        const wanted = shown === story.thrown ? `Every die is proven: all ${story.thrown} throws` : `${shown} of ${story.thrown} throws shown with faces`
        must(told.startsWith(wanted), `the verdict is "${told}", ${shown} of ${story.thrown} throws are shown`)
      }
    }
  },
  {
    name: 'the companion asks for real dice on a phone',
    async run(context) {
      const page = await context.page('/table', PHONE)
      await page.getByRole('button', { name: 'Start' }).click()
      await page.waitForSelector('.ask')
      const roll = chance(5)
      await walk(page, roll, async () => (await page.locator('.ask .faces').count()) > 0)
      must((await page.locator('.ask').innerText()).toLowerCase().includes('dice'), 'it says how many dice to roll')
      must((await answerByClicks(page, roll)) === 'dice', 'the faces are typed in')
      await until(() => page.locator('.ask').count(), 'the game goes on')
    }
  },
  {
    name: 'no page of the library has a serious fault of accessibility',
    patience: 240_000,
    async run(context) {
      const { id } = await upload(context)
      const addresses = [
        '/', '/new', '/about', '/rules/ff.blast.place', '/rules?q=xyzzy', '/rules', '/rules?q=cover', '/rules/d47.attack.save.infantry_cover', '/cards', '/cards/axis-ludwig', '/odds', '/armies', '/replay',
        `/replay/record/${id}?at=60`, '/learn', '/table'
      ]
      // On a phone the fullest pages stand for the others.
      const fullest = ['/rules?q=cover', '/cards/axis-ludwig', '/odds', '/armies', `/replay/record/${id}?at=60`]
      for (const [number, options] of [DESKTOP, DARK, PHONE].entries()) {
        const page = await context.page('/about', options)
        for (const address of addresses) {
          await page.goto(context.base + address)
          await page.getByRole('heading', { level: 1 }).waitFor()
          await page.waitForTimeout(350)
          if (number < 2 || fullest.includes(address))
            await context.axe(page).catch((error) => {
              throw new Error(`${address} (${['desktop', 'dark', 'phone'][number]}): ${error.message}`)
            })
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
          must(wide <= 0, `${address} is ${wide} px wider than the screen`)
        }
      }
    }
  }
]
