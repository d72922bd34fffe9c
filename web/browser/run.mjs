// Runs every browser test in real Chromium against a real server: `npm run test:browser [words of a test's name]`.

import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { contextFor, launch, startServer } from './kit.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const wanted = process.argv.slice(2).join(' ').toLowerCase()
const tests = []
for (const file of readdirSync(here).filter((name) => name.endsWith('.test.mjs')).sort()) {
  const found = await import(pathToFileURL(join(here, file)).href)
  tests.push(...found.tests.map((test) => ({ ...test, file })))
}
const chosen = tests.filter((test) => `${test.file} ${test.name}`.toLowerCase().includes(wanted))
if (!chosen.length) {
  console.error(`No browser test is called like "${wanted}".`)
  process.exit(2)
}

const server = await startServer()
const browser = await launch()
let failed = 0
try {
  for (const test of chosen) {
    const context = contextFor(server, browser)
    const began = Date.now()
    let timer
    try {
      const limit = new Promise((_, fail) => {
        timer = setTimeout(() => fail(new Error('took too long')), test.patience ?? 120_000)
      })
      await Promise.race([test.run(context), limit])
      if (context.complaints.length) throw new Error(`the page complained: ${context.complaints.slice(0, 5).join(' | ')}`)
      console.log(`✓ ${test.name} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
    } catch (error) {
      failed += 1
      console.error(`✗ ${test.name} [${test.file}]\n  ${error instanceof Error ? error.message : error}`)
    } finally {
      clearTimeout(timer)
      await context.close()
    }
  }
} finally {
  await browser.close()
  await server.end()
}
console.log(`${chosen.length - failed} of ${chosen.length} browser tests passed`)
process.exit(failed ? 1 : 0)
