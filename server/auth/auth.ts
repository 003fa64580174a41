import type { Store, Table } from '../db/store.ts'
import { createSessionCookies, type SessionCookies } from './cookies.ts'
import { type Csrf, createCsrf } from './csrf.ts'
import { createHashQueue, type HashQueue } from './hashQueue.ts'
import { createSessions, type Sessions } from './session.ts'
import { type User, usersIn } from './users.ts'
import { createWaf, type Waf } from './waf.ts'

/** All that is needed to know who somebody is. */
export interface Auth {
  store: Store
  users: Table<User>
  sessions: Sessions
  csrf: Csrf
  sessionCookies: SessionCookies
  waf: Waf
  hashQueue: HashQueue
}

/** @param now the clock, in milliseconds since 1970 */
export function createAuth({ store, now, publicUrl }: { store: Store; now: () => number; publicUrl?: URL }): Auth {
  const csrf = createCsrf(store)
  return {
    store,
    users: usersIn(store),
    sessions: createSessions(store, now),
    csrf,
    sessionCookies: createSessionCookies(csrf, publicUrl?.protocol === 'https:'),
    waf: createWaf(store, now),
    hashQueue: createHashQueue(),
  }
}
