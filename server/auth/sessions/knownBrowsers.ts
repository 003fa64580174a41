import type { FastifyReply, FastifyRequest } from 'fastify'
import { knownBrowserCookie } from '../../../src/schemas/define/wireNames.ts'
import type { Store } from '../../db/store.ts'
import type { ResidentTable } from '../../db/table.ts'
import type { User } from '../users/users.ts'
import { createSealedTokens } from './sealedTokens.ts'
import { secretIn } from './secret.ts'

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
