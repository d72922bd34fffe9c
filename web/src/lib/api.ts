// The server's API, with errors that can be shown as they are.

import { deviceKey } from './device'

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly rule: string | null = null
  ) {
    super(message)
  }
}

export async function call<T>(path: string, options: RequestInit & { token?: string | undefined } = {}): Promise<T> {
  const headers = new Headers(options.headers)
  if (options.body && typeof options.body === 'string') headers.set('Content-Type', 'application/json')
  // Without the token of a seat, the key of this browser's person opens his own.
  const seat = options.token || (path.startsWith('/games/') ? deviceKey() : '')
  if (seat && !headers.has('X-Seat')) headers.set('X-Seat', seat)
  let answer: Response
  try {
    answer = await fetch(`/api${path}`, { ...options, headers })
  } catch {
    throw new ApiError(0, 'The server cannot be reached. Check the connection and try again.')
  }
  if (!answer.ok) {
    const problem = (await answer.json().catch(() => ({}))) as { reason?: string; rule?: string | null }
    throw new ApiError(answer.status, problem.reason ?? `The server answered ${answer.status}.`, problem.rule ?? null)
  }
  return (await answer.json()) as T
}

export const get = <T>(path: string, token?: string): Promise<T> => call<T>(path, { token })

export const post = <T>(path: string, body: unknown = {}, token?: string): Promise<T> =>
  call<T>(path, { method: 'POST', body: JSON.stringify(body), token })
