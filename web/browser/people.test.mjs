// People: two meet in the lobby and play, one loses the device and takes the seat back by a code; ratings, manners, push.

import { createServer } from 'node:http'
import { createECDH, randomBytes } from 'node:crypto'
import { DESKTOP, PHONE, answerByClicks, chance, contextFor, must, startServer, until } from './kit.mjs'

const onTable = (page) => page.waitForSelector('.ask, .theirs')
const key = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('dieselfront.person') ?? 'null')?.key ?? '')
const idOf = (page) => new URL(page.url()).pathname.split('/')[2]

/** Points of its own: the lobby of the server under test is shared by all tests. */
let points = 600
const freshPoints = () => (points += 7)

async function comeToLobby(context, name, options) {
  const page = await context.page('/lobby', options)
  await page.getByLabel('Your name').fill(name)
  return page
}

/** Both press the same wish; the second is led to the table, the first is told. */
async function meet(context, one, other) {
  const wanted = String(freshPoints())
  for (const page of [one, other]) await page.getByLabel('Points').fill(wanted)
  await one.getByRole('button', { name: 'Pair me' }).click()
  await one.getByRole('region', { name: 'Your offers' }).getByText('on the waiting list').waitFor()
  await other.getByRole('button', { name: 'Pair me' }).click()
  await onTable(other)
  await one.getByRole('link', { name: 'To the table' }).click()
  await onTable(one)
  must(idOf(one) === idOf(other), 'both sit at the same table')
  must(!new URL(one.url()).hash, 'no key stands in the address')
  return idOf(one)
}

/** A few moves by clicks, of whoever is to decide. */
async function playSome(pages, moves) {
  const roll = chance(3)
  let made = 0
  const end = Date.now() + 60_000
  while (made < moves) {
    if (Date.now() > end) throw new Error('no moves could be made')
    for (const page of pages) {
      const before = await page.locator('.battle').getAttribute('data-version')
      const shape = await answerByClicks(page, roll).catch(() => null)
      if (!shape) continue
      await page.waitForTimeout(150)
      if ((await page.locator('.battle').getAttribute('data-version')) !== before) made += 1
    }
  }
}

/** The same on a server of the test's own, started with other options. */
async function onServer(context, options, work) {
  const server = await startServer(...options)
  const other = contextFor(server, context.browser)
  try {
    await work(other)
    context.complaints.push(...other.complaints)
  } finally {
    await other.close()
    await server.end()
  }
}

export const tests = [
  {
    name: 'two people meet in the lobby and play; one loses the device and takes the seat back by the code',
    patience: 180_000,
    async run(context) {
      const ann = await comeToLobby(context, 'Ann')
      const bob = await comeToLobby(context, 'Bob', PHONE)
      await context.axe(ann)
      await context.axe(bob)
      const game = await meet(context, ann, bob)
      await playSome([ann, bob], 4)
      must((await bob.getByText('Rated').count()) === 1, 'the table says that the game is rated')
      await bob.goto(context.base + '/you')
      await bob.getByRole('button', { name: 'Show my recovery code' }).click()
      const code = (await bob.locator('.code .big').innerText()).trim()
      must(/^[0-9a-z]{4}(-[0-9a-z]{4}){4}$/.test(code), `the code is ${code}`)
      await context.axe(bob)
      await bob.getByRole('button', { name: 'I have written it down' }).click()
      must((await bob.getByText(code).count()) === 0, 'the code is shown once')
      const lost = await key(bob)

      const fresh = await context.page('/you', PHONE)
      await context.axe(fresh)
      await fresh.getByLabel('Recovery code').fill(code.toUpperCase())
      await fresh.getByLabel('The other device is lost').check()
      await fresh.getByRole('button', { name: 'Take them back' }).click()
      await fresh.getByRole('heading', { name: 'Bob', level: 1 }).waitFor()
      await fresh.getByRole('link', { name: /against Ann/ }).click()
      await onTable(fresh)
      must(idOf(fresh) === game, 'the seat is in the same game')
      await playSome([ann, fresh], 2)
      const refused = await fetch(`${context.base}/api/people/me`, { headers: { 'X-Person': lost } })
      must(refused.status === 401, 'the key of the lost device opens nothing any more')
      await fresh.goto(context.base + '/')
      await fresh.getByRole('region', { name: 'Continue' }).getByText('Ann against Bob').or(fresh.getByRole('link', { name: /^Continue/ })).first().waitFor()
    }
  },
  {
    name: 'ratings move after a finished rated game, and the list shows both',
    async run(context) {
      const ann = await comeToLobby(context, 'Rita Rated')
      const bob = await comeToLobby(context, 'Ralf Rated')
      await meet(context, ann, bob)
      await ann.getByRole('button', { name: 'Menu' }).click()
      await ann.getByRole('button', { name: 'Concede', exact: true }).click()
      await ann.getByRole('button', { name: 'Concede now' }).click()
      await ann.getByText(/concede/).first().waitFor()
      const rated = async (page) => (await (await fetch(`${context.base}/api/people/me`, { headers: { 'X-Person': await key(page) } })).json()).ratings[0]
      await until(async () => (await rated(bob))?.rating > 1500 && (await rated(ann))?.rating < 1500, 'the ratings have moved')
      await bob.goto(context.base + '/ratings')
      const row = bob.getByRole('row', { name: /Ralf Rated/ })
      await row.getByText('you').waitFor()
      const [first, second] = await Promise.all(['Ralf Rated', 'Rita Rated'].map(async (name) => Number((await bob.getByRole('row', { name: new RegExp(name) }).locator('td').first().innerText()).trim())))
      must(first < second, 'the winner stands before the loser')
      await context.axe(bob)
      await bob.goto(context.base + '/you')
      await bob.getByRole('region', { name: 'Your ratings' }).getByText('after 1 game').waitFor()
    }
  },
  {
    name: 'an open seat is filtered, joined with one press, and can be taken back',
    async run(context) {
      const ann = await comeToLobby(context, 'Olga Open')
      await ann.locator('.chip', { hasText: 'Plays it well' }).click()
      await ann.locator('.chip', { hasText: 'Over days' }).click()
      await ann.getByRole('button', { name: 'Offer an open seat' }).click()
      await ann.getByRole('region', { name: 'Your offers' }).getByText('an open seat').waitFor()
      const bob = await context.page('/lobby')
      const seat = bob.getByRole('button', { name: /^Join Olga Open/ })
      await seat.waitFor()
      await bob.locator('.filters label', { hasText: /^For/ }).locator('select').selectOption('new')
      await until(async () => (await seat.count()) === 0, 'the filter hides it')
      await bob.locator('.filters label', { hasText: /^For/ }).locator('select').selectOption('veteran')
      await seat.waitFor()
      await ann.getByRole('button', { name: /^Take back/ }).click()
      await until(async () => (await seat.count()) === 0, 'it is gone')
      await ann.getByRole('button', { name: 'Offer an open seat' }).click()
      await seat.focus()
      await bob.keyboard.press('Enter')
      await onTable(bob)
      must((await key(bob)).length > 20, 'whoever joins is known from then on, without being asked')
    }
  },
  {
    name: 'talk is muted, somebody is blocked and reported, and blocking is undone',
    async run(context) {
      const ann = await comeToLobby(context, 'Mia Mute')
      const bob = await comeToLobby(context, 'Rude Rudi')
      const game = await meet(context, ann, bob)
      await context.api(`/games/${game}/chat`, { text: 'You are a toad.' }, await key(bob))
      await ann.getByRole('tab', { name: /Talk/ }).click()
      await ann.getByText('You are a toad.').waitFor()
      await ann.getByText('Mute, block or report somebody').click()
      await ann.getByRole('button', { name: 'Mute' }).click()
      await until(async () => (await ann.getByText('You are a toad.').count()) === 0, 'his talk is not shown')
      await ann.getByRole('button', { name: 'Report' }).click()
      await ann.getByLabel(/What happened/).fill('He calls me a toad.')
      await ann.getByRole('button', { name: 'Send the report' }).click()
      await ann.getByText('can read your report now').waitFor()
      await ann.getByRole('button', { name: 'Block' }).click()
      await ann.getByText('not meet Rude Rudi').waitFor()
      await context.axe(ann)
      await ann.goto(context.base + '/you')
      await ann.getByRole('button', { name: 'Unblock Rude Rudi' }).click()
      await until(async () => (await ann.getByRole('region', { name: 'Blocked' }).count()) === 0, 'nobody is blocked any more')
    }
  },
  {
    name: 'battles begun by link are found on the other device',
    async run(context) {
      const page = await context.page('/new')
      await page.getByText('Somebody at this screen').click()
      await page.locator('form button.loud:enabled').click()
      await onTable(page)
      const game = idOf(page)
      await page.goto(context.base + '/you')
      await page.getByLabel('Your name').fill('Two Devices')
      await page.getByRole('button', { name: 'Keep my battles' }).click()
      await page.getByRole('region', { name: 'Your battles' }).getByRole('link').first().waitFor()
      await page.getByRole('button', { name: 'Show my recovery code' }).click()
      const code = (await page.locator('.code .big').innerText()).trim()
      const phone = await context.page('/you', PHONE)
      await phone.getByLabel('Recovery code').fill(code)
      await phone.getByRole('button', { name: 'Take them back' }).click()
      await phone.getByRole('link', { name: /your turn/ }).first().click()
      await onTable(phone)
      must(idOf(phone) === game, 'it is the same battle')
      await playSome([phone], 2)
    }
  },
  {
    name: 'the pages for people hold by lamplight, on a desk and on a phone, and by the keyboard alone',
    async run(context) {
      for (const options of [DESKTOP, PHONE]) {
        const page = await context.page('/you', { ...options, colorScheme: 'dark' })
        await page.getByLabel('Your name').focus()
        await page.keyboard.type('Lena Lamplight')
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: 'Lena Lamplight', level: 1 }).waitFor()
        for (const path of ['/you', '/lobby', '/ratings']) {
          await page.goto(context.base + path)
          await page.getByRole('heading', { level: 1 }).waitFor()
          await context.axe(page)
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          must(wide <= 0, `${path} is ${wide} pixels too wide`)
        }
      }
    }
  },
  {
    name: 'what the host has switched off is not shown',
    async run(context) {
      const page = await context.page('/about')
      await page.getByRole('link', { name: 'Lobby' }).waitFor()
      await onServer(context, ['--without', 'people'], async (other) => {
        const bare = await other.page('/about')
        await bare.getByRole('button', { name: 'Look' }).click()
        await bare.getByText('Sound').waitFor()
        await bare.waitForLoadState('networkidle')
        must((await bare.getByRole('link', { name: 'Lobby' }).count()) + (await bare.getByRole('link', { name: 'You', exact: true }).count()) === 0, 'no links')
        must((await bare.getByText('Notifications').count()) === 0, 'no switch for notifications')
        await bare.goto(other.base + '/lobby')
        await bare.getByText('switched the lobby off').waitFor()
      })
      await page.getByRole('button', { name: 'Look' }).click()
      await page.getByText('Notifications').waitFor()
    }
  },
  {
    name: 'push arrives: the server sends to the address of the browser, and the service worker shows it',
    run: (context) => onServer(context, ['--private-webhooks'], async (context) => {
      // The browser's own subscribing needs its vendor's push service, which a test must not call: a push manager of the
      // test's own hands out an address on this machine. What the server sends there is real, and so is the service worker.
      const heard = []
      const service = createServer((request, answer) => {
        const parts = []
        request.on('data', (part) => parts.push(part))
        request.on('end', () => {
          heard.push({ headers: request.headers, body: Buffer.concat(parts) })
          answer.writeHead(201).end()
        })
      })
      await new Promise((done) => service.listen(0, '127.0.0.1', done))
      const local = `http://127.0.0.1:${service.address().port}/push`
      const own = createECDH('prime256v1')
      own.generateKeys()
      const subscription = { endpoint: local, keys: { p256dh: own.getPublicKey().toString('base64url'), auth: randomBytes(16).toString('base64url') } }
      const through = (page) =>
        page.addInitScript((given) => {
          const made = { endpoint: given.endpoint, toJSON: () => given, unsubscribe: async () => true }
          let on = null
          PushManager.prototype.subscribe = async (options) => ((globalThis.asked = options), (on = made))
          PushManager.prototype.getSubscription = async () => on
          Notification.requestPermission = async () => 'granted'
        }, subscription)
      try {
        const ann = await context.page('/lobby', { ...DESKTOP, permissions: ['notifications'], line: { through } })
        await ann.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
        await ann.getByRole('button', { name: 'Look' }).click()
        await ann.getByRole('button', { name: 'When it is my turn' }).click()
        await until(async () => (await ann.getByRole('button', { name: 'When it is my turn' }).getAttribute('aria-pressed')) === 'true', 'the switch is on')
        must((await ann.evaluate(() => globalThis.asked)).userVisibleOnly === true, 'every push is shown')
        await ann.keyboard.press('Escape')
        await ann.getByLabel('Points').fill(String(freshPoints()))
        await ann.locator('.chip', { hasText: 'Over days' }).click()
        await ann.getByRole('button', { name: 'Offer an open seat' }).click()
        await ann.getByRole('region', { name: 'Your offers' }).getByText('an open seat').waitFor()
        const bob = await context.page('/lobby')
        await bob.getByRole('button', { name: /^Join Guest/ }).click()
        await onTable(bob)
        const first = await until(() => heard[0], 'the push service hears that somebody has joined')
        must(first.headers['content-encoding'] === 'aes128gcm' && /^vapid t=/.test(first.headers.authorization), 'it is encrypted and signed')
        must(!first.body.includes('joined'), 'nobody on the way can read it')
        const game = idOf(bob)

        // The same message as the browser hands it to the service worker, deciphered.
        const session = await ann.context().newCDPSession(ann)
        const registrations = []
        session.on('ServiceWorker.workerRegistrationUpdated', (event) => registrations.push(...event.registrations))
        await session.send('ServiceWorker.enable')
        const registration = await until(() => registrations.find((one) => !one.isDeleted), 'the service worker is registered')
        await session.send('ServiceWorker.deliverPushMessage', { origin: context.base, registrationId: registration.registrationId, data: JSON.stringify({ game, text: 'Ralf has joined your battle.', over: false }) })
        const shown = await until(
          () => ann.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((one) => ({ body: one.body, tag: one.tag, game: one.data?.game }))).then((all) => all[0]),
          'the notification is shown'
        )
        must(shown.body === 'Ralf has joined your battle.' && shown.game === game && shown.tag === game, `it says ${JSON.stringify(shown)}`)
      } finally {
        service.close()
      }
    })
  }
]
