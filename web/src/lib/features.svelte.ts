// What the host of this server offers to people; what is switched off is not shown.

import { get } from './api'
import type { Features } from './api-types'

export const features = $state<Features>({ people: false, lobby: false, ratings: false, push: false, sharing: false })

void get<Features>('/features').then(
  (offered) => Object.assign(features, offered),
  () => undefined
)
