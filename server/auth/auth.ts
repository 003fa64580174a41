import type { FastifyRequest } from 'fastify'
import type { Store } from '../db/store.ts'
import type { Table } from '../db/table.ts'
import { createWaf, type Waf } from './blocking/blockedAddresses.ts'
import { createHashQueue, type HashQueue } from './passwords/hashQueue.ts'
import { hashPassword, type PasswordCost, recommendedCost } from './passwords/password.ts'
import { createSecondFactor, type SecondFactor } from './secondFactor/secondFactor.ts'
import { createSessionCookies, type SessionCookies } from './sessions/cookies.ts'
import { type Csrf, createCsrf } from './sessions/csrf.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'
import { type ApiTokens, createApiTokens } from './tokens/apiTokens.ts'
import { type Bindings, createBindings } from './users/oauth2Bindings.ts'
import { type User, usersIn } from './users/users.ts'

/** Users, sessions and what protects them. */
export interface Auth {
  store: Store
  users: Table<User>
  sessions: Sessions
  apiTokens: ApiTokens
  csrf: Csrf
  sessionCookies: SessionCookies
  waf: Waf
  hashQueue: HashQueue
  /** What new password hashes cost. */
  passwordCost: PasswordCost
  /** A hash for names that do not exist: they take as long to refuse as those that do. */
  unknownUserHash(): Promise<string>
  /** Which account at an OAuth2 provider signs in which user. */
  bindings: Bindings
  /** Whether browsers reach this server with TLS only. */
  isTls: boolean
  secondFactor: SecondFactor
  /** Whether the session or API token of a request is still valid; true for a request with neither. */
  isAlive(visitor: Pick<FastifyRequest, 'person' | 'session'>): boolean
}

interface AuthOptions {
  store: Store
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** Whether browsers reach this server with TLS only. */
  isTls?: boolean
  /** The names of the OAuth2 providers. */
  providers?: Iterable<string>
  /** Where the key for the secrets of authenticator apps is. Default: in the database, for one in memory. */
  secondFactorKeyFile?: string
  /** What new password hashes cost. Default: what OWASP recommends. */
  passwordCost?: PasswordCost
  /** Called when what was counted or signed in cannot be saved, as on a full disk. */
  onFailure?: (error: unknown) => void
}

export function createAuth(options: AuthOptions): Auth {
  const { store, now, isTls = false, providers = [], secondFactorKeyFile, onFailure } = options
  const { passwordCost = recommendedCost } = options
  const csrf = createCsrf(store)
  const sessions = createSessions(store, now, onFailure)
  const apiTokens = createApiTokens(store, now, onFailure)
  let unknownUserHash: Promise<string> | undefined
  return {
    store,
    isTls,
    users: usersIn(store),
    sessions,
    apiTokens,
    csrf,
    sessionCookies: createSessionCookies(csrf, isTls),
    waf: createWaf(store, now, onFailure),
    hashQueue: createHashQueue(),
    passwordCost,
    unknownUserHash() {
      unknownUserHash ??= hashPassword('', passwordCost)
      return unknownUserHash
    },
    bindings: createBindings(store, providers),
    secondFactor: createSecondFactor(store, now, secondFactorKeyFile),
    isAlive({ person, session }) {
      if (person?.token) return apiTokens.isAlive(person.token.id)
      return session === undefined || sessions.isAlive(session)
    },
  }
}
