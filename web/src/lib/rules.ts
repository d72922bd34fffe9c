// Rules by id, asked for once.

import { get } from './api'
import type { RuleText } from './api-types'

export type { RuleText } from './api-types'

const asked = new Map<string, Promise<RuleText>>()

export function rule(id: string): Promise<RuleText> {
  const known = asked.get(id)
  if (known) return known
  const answer = get<RuleText>(`/rules/${encodeURIComponent(id)}`)
  asked.set(id, answer)
  answer.catch(() => asked.delete(id))
  return answer
}
