import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import { cookies, knownBrowserCookie } from '../../../src/schemas/define/wireNames.ts'
import type { Store } from '../../db/store.ts'
import type { ResidentTable } from '../../db/table.ts'
import type { User } from '../users/users.ts'
import { createSealedTokens, secretIn } from './sealedTokens.ts'
import { type Grant, sessionLifetime } from './sessions.ts'

/** Writes the two cookies of a session. Scripts can read both: the contract's console needs that. */
export interface SessionCookies {
  set(request: FastifyRequest, reply: FastifyReply, grant: Grant): void
  /** Sets a CSRF cookie when the browser has none that we made for the session of the request. */
  seedCsrf(request: FastifyRequest, reply: FastifyReply): void
  /** Deletes both cookies in the browser. */
  clear(reply: FastifyReply): void
}

/** @param secure whether browsers reach this server by https only */
export function createSessionCookies(csrf: Csrf, secure: boolean): SessionCookies {
  function setCsrf(request: FastifyRequest, reply: FastifyReply, session: string): void {
    // A valid value stays: calls that are under way would fail if it changed.
    const existing = request.cookies[cookies.csrf]
    const value = csrf.isGenuine(existing, session) ? existing : csrf.create(session)
    reply.setCookie(cookies.csrf, value, { path: '/', sameSite: 'strict', secure })
  }
  return {
    set(request, reply, { token }) {
      reply.setCookie(cookies.session, token, { path: '/', maxAge: sessionLifetime, sameSite: 'lax', secure })
      setCsrf(request, reply, String(decodeJwt(token).sid))
    },
    seedCsrf(request, reply) {
      const { session } = request
      if (session && !csrf.isGenuine(request.cookies[cookies.csrf], session.key)) setCsrf(request, reply, session.key)
    },
    clear(reply) {
      for (const name of Object.values(cookies)) reply.clearCookie(name, { path: '/' })
    },
  }
}

/**
 * Proof that a call comes from our own page: the page reads the cookie `nz-csrf` and repeats it in a header, which a page
 * of another origin cannot. The value is `64 hex . 64 hex`, a random part and a signature of it and of the session: one
 * that somebody got in a session of their own is of no use in another. A session is named by its key.
 */
export interface Csrf {
  create(session: string): string
  /** Whether we made this value for that session. */
  isGenuine(value: string | undefined, session: string): value is string
  /** Whether cookie and header carry the same value, genuine for that session. */
  matches(cookie: string | undefined, header: unknown, session: string): boolean
}

export function createCsrf(store: Store): Csrf {
  const key = secretIn(store, 'auth.csrfKey')
  const sign = (nonce: string, session: string) => createHmac('sha256', key).update(`${nonce}.${session}`).digest('hex')

  function isGenuine(value: string | undefined, session: string): value is string {
    const [, nonce, signature] = /^([0-9a-f]{64})\.([0-9a-f]{64})$/.exec(value ?? '') ?? []
    return !!nonce && !!signature && timingSafeEqual(Buffer.from(sign(nonce, session)), Buffer.from(signature))
  }

  return {
    isGenuine,
    create(session) {
      const nonce = randomBytes(32).toString('hex')
      return `${nonce}.${sign(nonce, session)}`
    },
    matches: (cookie, header, session) => isGenuine(cookie, session) && cookie === header,
  }
}

/**
 * Browsers in which somebody has signed in. Their failures are counted apart from those of all others at their address,
 * so that people sign in again wherever somebody guesses; it gives no other right.
 */
export interface KnownBrowsers {
  /**
   * What the failures of this browser are counted under, when it is known for this account: the key of a session.
   * @param account left out where nobody is named, as before a passkey or at a provider: then any account will do
   */
  keyOf(request: FastifyRequest, account?: number | string): Promise<string | undefined>
  /**
   * Makes the browser known for this account, until its password changes: who knew an earlier one may have many such
   * cookies. @param key of the session that has begun
   */
  remember(request: FastifyRequest, reply: FastifyReply, user: User, key: string): Promise<void>
}

interface KnownAccount {
  userId: number
  key: string
  /** `updated_at` of the user, which a new password changes. */
  version: string
}

/** Accounts of one browser, as of somebody who has one for everyday work and one for administration. */
const maxAccounts = 4

/** Seconds: 400 days, for longer browsers keep no cookie. */
const lifetime = 400 * 86_400

/**
 * @param now the clock, in milliseconds since 1970
 * @param secure whether browsers reach this server by https only
 */
export function createKnownBrowsers(
  { store, users, now }: { store: Store; users: ResidentTable<User>; now: () => number },
  secure: boolean,
): KnownBrowsers {
  const key = secretIn(store, 'auth.knownBrowserKey')
  const tokens = createSealedTokens<{ accounts: KnownAccount[] }>({ key, purpose: 'known browser', lifetime, now })

  async function accountsOf({ cookies }: FastifyRequest): Promise<KnownAccount[]> {
    const { accounts = [] } = (await tokens.read(cookies[knownBrowserCookie])) ?? {}
    return accounts.filter(({ userId, version }) => users.get(userId)?.updated_at === version)
  }

  return {
    async keyOf(request, account) {
      const { session } = request
      if (session && (account === undefined || session.user_id === account)) return session.key
      return (await accountsOf(request)).find(({ userId }) => account === undefined || userId === account)?.key
    },
    async remember(request, reply, user, key) {
      const others = (await accountsOf(request)).filter(({ userId }) => userId !== user.id)
      const accounts = [{ userId: user.id, key, version: user.updated_at }, ...others].slice(0, maxAccounts)
      const value = await tokens.create({ accounts })
      // Lax: the way back from a provider is a link of another site.
      reply.setCookie(knownBrowserCookie, value, {
        path: '/api/v1',
        maxAge: lifetime,
        httpOnly: true,
        sameSite: 'lax',
        secure,
      })
    },
  }
}
