// The app without a connection: its own files, the rules and the cards as they were told last.
// The build fills in the list of files; a new list is a new version.

const FILES = __FILES__
const SHELL = 'dieselfront-shell-__VERSION__'
const LIBRARY = 'dieselfront-library'
const KEPT = /^\/api\/(rulesets|levels|scenarios|balance|armies\/starters|rules|cards)(\/|$)/

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting())
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name.startsWith('dieselfront-shell-') && name !== SHELL).map((name) => caches.delete(name)))
      )
      .then(() => self.clients.claim())
  )
})

// The page asks for the library once it has nothing better to do.
self.addEventListener('message', (event) => {
  if (event.data === 'library') event.waitUntil(fetchLibrary())
})

async function fetchLibrary() {
  const cache = await caches.open(LIBRARY)
  await keep(cache, '/api/rulesets')
  const games = (await (await cache.match('/api/rulesets'))?.json()) ?? []
  for (const game of games) {
    await keep(cache, `/api/rules?ruleset=${game.id}`)
    if (game.cards?.catalogue === game.id) await keep(cache, `/api/cards?ruleset=${game.id}`)
  }
}

async function keep(cache, path) {
  if (await cache.match(path)) return
  const answer = await fetch(path).catch(() => null)
  if (answer?.ok) await cache.put(path, answer)
}

// It is somebody's turn: the server says so though no page is open.
self.addEventListener('push', (event) => {
  const told = readPush(event.data)
  event.waitUntil(self.registration.showNotification('Dieselfront', { body: told.text, tag: told.game, data: { game: told.game }, icon: '/icon-192.png' }))
})

function readPush(data) {
  try {
    const { game, text } = data.json()
    return { game: /^[0-9a-z]{1,16}$/.test(game) ? game : '', text: String(text).slice(0, 300) }
  } catch {
    return { game: '', text: 'Something has happened in one of your battles.' }
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const path = event.notification.data?.game ? `/battle/${event.notification.data.game}` : '/'
  event.waitUntil(showPage(path))
})

/** The page that shows it already, or a new one. */
async function showPage(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find((page) => new URL(page.url).pathname === path)
  return open ? open.focus() : self.clients.openWindow(path)
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => fromShell('/')))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(fromShell(url.pathname).then((kept) => kept ?? fetch(request)))
  else if (KEPT.test(url.pathname)) event.respondWith(fromLibrary(request, url))
  else if (!url.pathname.startsWith('/api/')) event.respondWith(fetch(request).catch(() => fromShell(url.pathname)))
})

const gone = () => new Response(JSON.stringify({ reason: 'There is no connection, and this was never looked at before.' }), { status: 503, headers: { 'Content-Type': 'application/json' } })

async function fromShell(path) {
  const cache = await caches.open(SHELL)
  return cache.match(path)
}

async function fromLibrary(request, url) {
  const cache = await caches.open(LIBRARY)
  try {
    const answer = await fetch(request)
    if (answer.ok) await cache.put(request, answer.clone())
    return answer
  } catch {
    return (await cache.match(request)) ?? (await oneRule(cache, url)) ?? gone()
  }
}

/** A single rule, taken from the whole book. */
async function oneRule(cache, url) {
  const id = decodeURIComponent(url.pathname.split('/')[3] ?? '')
  if (!url.pathname.startsWith('/api/rules/') || !id) return undefined
  const books = (await cache.keys()).filter((request) => /\/api\/rules\?ruleset=[^&]+$/.test(request.url))
  for (const book of books) {
    const kept = await cache.match(book)
    const rule = kept && (await kept.json()).find((one) => one.id === id)
    if (rule) return new Response(JSON.stringify(rule), { headers: { 'Content-Type': 'application/json' } })
  }
  return undefined
}
