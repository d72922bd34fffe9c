// Pages by path; the seat's token stands behind # and never leaves the browser's address.

export const route = $state({ path: location.pathname, search: location.search, hash: location.hash.slice(1) })

function read(): void {
  route.path = location.pathname
  route.search = location.search
  route.hash = location.hash.slice(1)
}

addEventListener('popstate', read)

export function go(address: string): void {
  history.pushState(null, '', address)
  read()
  scrollTo(0, 0)
  document.getElementById('main')?.focus()
}

/** Follow links inside the app without loading a page. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = (event.target as Element).closest('a')
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
  if (link.pathname.startsWith('/api/')) return
  event.preventDefault()
  go(link.pathname + link.search + link.hash)
}
