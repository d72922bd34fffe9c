// The service worker of the build: sw.js with the list of all files it keeps.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

export function offline(): Plugin {
  return {
    name: 'dieselfront-offline',
    apply: 'build',
    generateBundle(_, bundle) {
      const built = Object.keys(bundle).filter((name) => name !== 'index.html')
      const still = readdirSync('public').filter((name) => name !== 'sw.js')
      const files = ['/', ...[...built, ...still].sort().map((name) => `/${name}`)]
      const code = readFileSync('sw.js', 'utf8')
      const version = createHash('sha256').update(files.join('\n')).update(code).digest('hex').slice(0, 12)
      const source = code.replace('__FILES__', JSON.stringify(files)).replace('__VERSION__', version)
      this.emitFile({ type: 'asset', fileName: 'sw.js', source })
    }
  }
}
