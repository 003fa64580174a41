import { randomBytes } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { Store } from '../../db/store.ts'
import { secretIn } from './secret.ts'

/** One sign-in. It is stored, so that it outlives a restart and can be ended by the server. */
export interface Session {
  id: number
  /** What the token contains: cannot be guessed, and never repeats, not even after a restored backup. */
  key: string
  user_id: number
  /** Milliseconds since 1970, both. */
  created: number
  expires: number
  /** The client's address at the sign-in; '' when addresses are not known. */
  address: string
  user_agent: string
}

/**
 * The result of checking a token: `revoked` is a token of ours that has not expired, but its session was ended; `none` is
 * any other invalid token.
 */
export type TokenStatus = { state: 'good'; session: Session } | { state: 'revoked' } | { state: 'none' }

export interface Sessions {
  open(person: { userId: number; address: string; userAgent: string }): Promise<Grant>
  /** Starts a new lifetime; earlier tokens stay valid until they expire. */
  renew(session: Session): Promise<Grant>
  check(token: string | undefined): Promise<TokenStatus>
  /** Whether a session that was valid when something long started still is. */
  isAlive(session: Session): boolean
  /** The sessions of a user that have not expired, the latest first. */
  ofUser(userId: number): Session[]
  /** Whether somebody signed in from this address recently: the session has not been deleted yet. */
  hasSignedInFrom(address: string): boolean
  end(sessions: readonly Session[]): void
  /** Ends all sessions of a user at once. */
  revokeAll(userId: number): void
}

export interface Grant {
  token: string
  /** RFC 3339, whole seconds. */
  expire: string
}

/** Seconds; also the max-age of the cookie. */
export const sessionLifetime = 3600

const algorithm = 'HS256'

/** @param now the clock, in milliseconds since 1970 */
export function createSessions(store: Store, now: () => number): Sessions {
  const key = secretIn(store, 'auth.tokenKey')
  const table = store.table<Session>({
    name: 'session',
    columns: [
      { name: 'key', type: 'TEXT', unique: true },
      { name: 'user_id', type: 'INTEGER' },
      { name: 'created', type: 'INTEGER' },
      { name: 'expires', type: 'INTEGER' },
      { name: 'address', type: 'TEXT', initial: '' },
      { name: 'user_agent', type: 'TEXT', initial: '' },
    ],
  })

  // Tokens expire at whole seconds: rounded up, so that one hour is never less.
  const nextExpiry = () => Math.ceil(now() / 1000) + sessionLifetime

  async function grant(sessionKey: string, expiry: number): Promise<Grant> {
    const token = await new SignJWT({ sid: sessionKey })
      .setProtectedHeader({ alg: algorithm })
      .setIssuedAt(Math.floor(now() / 1000))
      .setExpirationTime(expiry)
      .sign(key)
    return { token, expire: new Date(expiry * 1000).toISOString().replace('.000Z', 'Z') }
  }

  const end = (sessions: readonly Session[]) => void table.remove(sessions.map(({ id }) => id))

  const deleteExpired = () => end(table.all().filter(({ expires }) => expires <= now()))

  return {
    async open({ userId, address, userAgent }) {
      deleteExpired()
      const expiry = nextExpiry()
      const session = { key: randomBytes(18).toString('base64url'), created: now(), expires: expiry * 1000 }
      table.insert({ ...session, user_id: userId, address, user_agent: userAgent.slice(0, 512) })
      return grant(session.key, expiry)
    },
    async renew(session) {
      const expiry = nextExpiry()
      table.update(session.id, { expires: expiry * 1000 })
      return grant(session.key, expiry)
    },
    async check(token) {
      const sessionKey = token ? await verifyToken(token, key, now()) : undefined
      if (!sessionKey) return { state: 'none' }
      const [session] = table.find({ key: sessionKey })
      return session ? { state: 'good', session } : { state: 'revoked' }
    },
    isAlive({ id }) {
      const session = table.get(id)
      return session !== undefined && session.expires > now()
    },
    ofUser: (userId) =>
      table
        .find({ user_id: userId })
        .filter(({ expires }) => expires > now())
        .reverse(),
    hasSignedInFrom: (address) => table.find({ address }).length > 0,
    end,
    revokeAll: (userId) => end(table.find({ user_id: userId })),
  }
}

/** The session key in a token, if we signed it and it has not expired. */
async function verifyToken(token: string, key: Uint8Array, now: number): Promise<string | undefined> {
  try {
    // A fixed algorithm refuses `none`, and a public key used as a shared secret.
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      requiredClaims: ['exp'],
      currentDate: new Date(now),
    })
    return typeof payload.sid === 'string' ? payload.sid : undefined
  } catch {
    // Invalid, not ours, or expired: callers need not know which.
    return undefined
  }
}
