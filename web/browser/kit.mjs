// What browser tests need: a server with a database of its own, Chromium, pages that must not complain, axe.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { availableParallelism, loadavg, platform, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '../..')
const axeSource = readFileSync(resolve(here, '../node_modules/axe-core/axe.min.js'), 'utf8')

export const DESKTOP = { viewport: { width: 1366, height: 820 } }
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

/** `dieselfront serve` on a free port, with further options if a test needs them; `stop()` ends it, `start()` brings it back with the same games. */
export async function startServer(...more) {
  const command = process.env.DIESELFRONT ?? join(root, '.venv/bin/dieselfront')
  const web = process.env.DIESELFRONT_WEB ?? resolve(here, '../dist')
  const folder = mkdtempSync(join(tmpdir(), 'dieselfront-browser-'))
  const server = { base: '', port: 0, child: null }
  server.start = () =>
    new Promise((done, fail) => {
      const options = ['serve', '--port', String(server.port), '--database', `sqlite:///${join(folder, 'games.db')}`, '--web', web, ...more]
      const child = spawn(command, options, { stdio: ['ignore', 'pipe', 'pipe'] })
      server.child = child
      let told = ''
      const hear = (data) => {
        told += data
        const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(told)
        if (found) {
          server.port = Number(found[1])
          server.base = found[0]
          done(server)
        }
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.on('exit', (code) => fail(new Error(`the server ended with ${code}: ${told}`)))
      setTimeout(() => fail(new Error(`the server did not start: ${told}`)), 60_000).unref()
    })
  server.stop = (signal = 'SIGTERM') =>
    new Promise((done) => {
      const child = server.child
      if (!child || child.exitCode !== null) return done()
      child.removeAllListeners('exit')
      child.on('exit', () => done())
      child.kill(signal)
    })
  server.end = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return server.start()
}

/**
 * The tests ask the API from an address of their own, so that what they ask in a second is not counted against the pages.
 * Linux has the whole of 127.0.0.0/8; elsewhere both share one address.
 */
const asking = new Agent({ keepAlive: true, ...(platform() === 'linux' ? { localAddress: '127.0.0.2' } : {}) })

function send(address, method, headers, body) {
  return new Promise((done, fail) => {
    const wish = request(address, { method, agent: asking, headers }, (answer) => {
      const parts = []
      answer.on('data', (part) => parts.push(part))
      answer.on('error', fail)
      answer.on('end', () => done({ status: answer.statusCode, wait: Number(answer.headers['retry-after'] ?? 0), text: Buffer.concat(parts).toString('utf8') }))
    })
    wish.on('error', fail)
    wish.end(body)
  })
}

/** Ask as a polite client does: whoever is told to wait waits, and a connection that the server closed meanwhile is opened again. */
async function sendPatiently(address, method, headers, body) {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(address, method, headers, body).catch((error) => {
      if (error.code !== 'ECONNRESET' || tries > 3) throw error
      return null
    })
    if (!answer) continue
    if (answer.status !== 429 || !answer.wait || tries > 20) return answer
    await new Promise((done) => setTimeout(done, answer.wait * 1000))
  }
}

export function launch() {
  const executablePath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] })
}

/** What a test is given. Every page it opens is closed afterwards, and must not have complained. */
export function contextFor(server, browser) {
  const opened = []
  const complaints = []
  const context = {
    server,
    browser,
    get base() {
      return server.base
    },
    complaints,
    /** A page of its own (own storage), at an address of the app. */
    async page(address = '/', options = DESKTOP) {
      const { line, ...rest } = options
      const room = await browser.newContext({ reducedMotion: 'reduce', ...rest })
      opened.push(room)
      const page = await room.newPage()
      if (line) await line.through(page)
      page.setDefaultTimeout(20_000)
      page.on('pageerror', (error) => complaints.push(`${address}: ${error.message}`))
      page.on('console', (line) => {
        if (line.type() === 'error' && !/WebSocket|ERR_CONNECTION|Failed to load resource|when fetching the script/.test(line.text())) complaints.push(`${address}: ${line.text()}`)
      })
      await page.goto(server.base + address)
      return page
    },
    /** The API, without a browser. */
    async api(path, body, token, method = body === undefined ? 'GET' : 'POST') {
      const headers = { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...(token ? { 'X-Seat': token } : {}) }
      const { status, text } = await sendPatiently(`${server.base}/api${path}`, method, headers, body === undefined ? undefined : JSON.stringify(body))
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
      return text ? JSON.parse(text) : null
    },
    axe: (page, options) => axe(page, options),
    async close() {
      for (const room of opened.splice(0)) await room.close().catch(() => undefined)
    }
  }
  return context
}

/** What the page asked for is there, animations that will end have ended, the pointer rests where it changes no colour. */
export async function atRest(page) {
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.mouse.move(0, 0)
  await page.evaluate(async () => {
    for (let round = 0; round < 5; round += 1) {
      const running = document.getAnimations().filter((one) => one.playState !== 'finished' && Number.isFinite(one.effect?.getComputedTiming().endTime))
      for (const one of running) one.finish()
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      if (!running.length) return
    }
  })
}

/** The contrast of what the pointer rests on: colours of a pointed-at button count as well. */
export async function contrastUnderPointer(page, locator) {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setBypassCSP', { enabled: true }).catch(() => undefined)
  await page.evaluate(axeSource)
  for (const one of await locator.all()) {
    if (!(await one.isVisible()) || !(await one.isEnabled())) continue
    await one.hover({ timeout: 3000 })
    const bad = await one.evaluate(async (node) => {
      const found = await globalThis.axe.run(node, { runOnly: ['color-contrast'], resultTypes: ['violations'] })
      return found.violations.flatMap((violation) => violation.nodes.map((each) => `${each.target.join(' ')} ${each.any?.[0]?.message ?? ''}`))
    })
    if (bad.length) throw new Error(`under the pointer: ${bad.join(' | ')}`)
  }
  await page.mouse.move(0, 0)
}

/** No serious or critical violation may be found. The source runs in axe's own world, past the page's CSP. */
export async function axe(page, { exclude = [] } = {}) {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setBypassCSP', { enabled: true }).catch(() => undefined)
  await page.evaluate(axeSource)
  await atRest(page)
  const found = await page.evaluate(
    async (skip) => (await globalThis.axe.run({ exclude: skip.map((one) => [one]) }, { resultTypes: ['violations'] })).violations,
    exclude
  )
  const bad = found.filter((one) => ['serious', 'critical'].includes(one.impact))
  if (bad.length) {
    const told = bad.map((one) => `${one.id} (${one.impact}): ${one.nodes.slice(0, 4).map((node) => `${node.target.join(' ')} ${node.any?.[0]?.message ?? ''}`).join(' | ')}`)
    throw new Error(`axe: ${told.join('\n  ')}`)
  }
}

export function must(fact, sentence) {
  if (!fact) throw new Error(sentence)
}

export async function until(question, sentence, patience = 15_000) {
  const end = Date.now() + patience
  for (;;) {
    const found = await question()
    if (found) return found
    if (Date.now() > end) throw new Error(`waited in vain: ${sentence}`)
    await new Promise((done) => setTimeout(done, 60))
  }
}

// -- playing by hand ----------------------------------------------------------------------------------

/** A small repeatable die, so that a failing walk can be walked again. */
export function chance(seed = 1) {
  let state = seed >>> 0 || 1
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 4294967296) * sides)
  }
}

/** A telephone line that can be cut: pass it as `line` to `page()`; `cut()` drops the live connection, `mend()` lets it come back. */
export function phoneLine() {
  const open = new Set()
  const line = {
    down: false,
    async through(page) {
      await page.routeWebSocket(/\/live$/, (socket) => {
        if (line.down) return void socket.close({ code: 4000 })
        const server = socket.connectToServer()
        open.add([socket, server])
      })
    },
    async cut() {
      line.down = true
      for (const [socket, server] of open) {
        await server.close({ code: 4000 }).catch(() => undefined)
        await socket.close({ code: 4000 }).catch(() => undefined)
      }
      open.clear()
    },
    mend() {
      line.down = false
    }
  }
  return line
}

/** A line on which the server's messages are changed before the page hears them. */
export const changedLine = (change) => ({
  async through(page) {
    await page.routeWebSocket(/\/live$/, (socket) => {
      const server = socket.connectToServer()
      server.onMessage((message) => socket.send(JSON.stringify(change(JSON.parse(String(message))))))
    })
  }
})

/** Frames a second while something goes on, and the slowest frames of it in milliseconds. */
export async function frames(page, during) {
  await page.evaluate(() => {
    globalThis.stamps = []
    const tick = (now) => {
      globalThis.stamps.push(now)
      globalThis.ticking = requestAnimationFrame(tick)
    }
    globalThis.ticking = requestAnimationFrame(tick)
  })
  await during()
  const stamps = await page.evaluate(() => (cancelAnimationFrame(globalThis.ticking), globalThis.stamps))
  const gaps = stamps.slice(1).map((stamp, n) => stamp - stamps[n]).sort((one, other) => one - other)
  const at = (share) => gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))] ?? Infinity
  return { frames: gaps.length, perSecond: (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0), median: at(0.5), slow: at(0.95) }
}

/** At least fifty frames a second, by the median frame; a machine that others keep busy cannot tell, and says so. */
export function mustBeSmooth(what, { median }) {
  const busy = loadavg()[0] > availableParallelism() + 1
  if (busy && median > 20) console.log(`  ${what}: ${median.toFixed(0)} ms a frame, on a machine too busy to judge (load ${loadavg()[0].toFixed(1)})`)
  else must(median <= 20, `${what}: half of the frames take more than ${median.toFixed(0)} ms`)
}

/** What the battle page asks just now, as the server tells it. */
export const snapshot = (context, id, token) => context.api(`/games/${id}`, undefined, token)

/** Answer the decision on screen by clicks only, whatever its shape. Returns the shape, or null if there is none. */
export async function answerByClicks(page, roll) {
  const ask = page.locator('.ask')
  if (!(await ask.count())) return null
  const pick = async (locator) => {
    const n = await locator.count()
    if (!n) return false
    const one = locator.nth(roll(n))
    // The decision may be gone by the time of the click: then the walk looks again.
    await one.click({ timeout: 3000 })
    return true
  }
  const list = ask.locator('details:has(.squares)')
  if (await list.count()) {
    if (!(await list.evaluate((node) => node.open))) await list.locator('summary').click({ timeout: 3000 })
    await pick(list.locator('.squares button:enabled'))
    const winds = ask.locator('.pair button:enabled')
    await page.waitForTimeout(40)
    if (await ask.getByText('which way does it face').count()) await pick(winds)
    return 'place'
  }
  if (await ask.locator('.lines').count()) {
    const everything = ask.locator('.targets button:enabled')
    if (await everything.count()) await pick(everything)
    await ask.locator('.pair .loud:enabled').click({ timeout: 3000 })
    return 'assign'
  }
  if (await ask.locator('.faces').count()) {
    for (;;) if (!(await pick(ask.locator('.faces button:enabled')))) break
    await ask.locator('button.loud:enabled').click({ timeout: 3000 })
    return 'dice'
  }
  if (await ask.locator('.tick').count()) {
    const ticks = ask.locator('.tick input')
    for (let i = 0; i < (await ticks.count()); i += 1) {
      if (await ask.locator('button.loud:enabled').count()) break
      await ticks.nth(i).check()
    }
    await ask.locator('button.loud:enabled').click({ timeout: 3000 })
    return 'pick-some'
  }
  if (await pick(ask.locator('.numbers button:enabled'))) return 'number'
  if (await pick(ask.locator('.options button:enabled'))) return 'pick-one'
  if (await pick(ask.locator('.pair button:enabled'))) return 'yes-no'
  return null
}

/** A new battle of a game with two of its starters. */
export async function begin(context, ruleset, wanted = '') {
  const scenario = wanted || (await context.api(`/scenarios?ruleset=${ruleset}`)).find((one) => one.id !== 'random').id
  const starters = await context.api(`/armies/starters?ruleset=${ruleset}`)
  const armies = [...new Map(starters.map((one) => [one.side, one.id])).values()].slice(0, 2)
  return context.api('/games', { ruleset, scenario, armies, seats: [{ kind: 'human' }, { kind: 'human' }] })
}

/** Answer over the API, rather boldly, until something holds. */
export async function playOn(context, begun, stop, seed = 5, most = 420) {
  const roll = chance(seed)
  const one = (list) => list[roll(list.length)]
  for (let i = 0; i < most; i += 1) {
    const now = await snapshot(context, begun.id, begun.table.token)
    if (now.over || (await stop(now))) return now
    const asked = now.decision
    const bold = () => {
      const good = asked.options.filter((option) => !option.about.careless && option.about.act !== 'pass')
      const shots = good.filter((option) => option.about.act === 'attack' || /attack|fire|sustained|advance/i.test(option.label))
      return one(shots.length && roll(4) ? shots : good.length ? good : asked.options).answer
    }
    const answers = {
      'pick-one': bold,
      'pick-some': () => asked.options.slice(0, Math.max(asked.least, Math.min(1, asked.most))).map((option) => option.answer),
      place: () => one(asked.spots.map((spot) => [spot.spot, one(spot.facings)])),
      assign: () => asked.default ?? asked.items.map((item) => one(item.options).answer),
      number: () => asked.least,
      'yes-no': () => roll(2) === 1,
      path: () => one(asked.region.spots),
      'place-free': () => one(asked.region.spots)
    }
    await context.api(`/games/${begun.id}/choices`, { decision: now.version, answer: answers[asked.shape]() }, begun.table.token)
  }
  throw new Error('it did not come to that')
}
