// Rules, cards and games as the server keeps them: asked for once, then remembered while the page is open.

import { get } from '../lib/api'

const asked = new Map<string, Promise<unknown>>()

export function once<T>(path: string): Promise<T> {
  let answer = asked.get(path)
  if (!answer) {
    answer = get<T>(path)
    asked.set(path, answer)
    answer.catch(() => asked.delete(path))
  }
  return answer as Promise<T>
}
