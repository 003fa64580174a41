import { randomBytes } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { Store } from '../../db/store.ts'
import { secretIn } from './secret.ts'

/** One sign-in. It is kept in the database, so that it outlives a restart and can be ended from here. */
export interface Session {
  id: number
  /** What the token names: not to be guessed, and not repeated when a backup of the database is put back. */
  key: string
  user_id: number
  /** Milliseconds since 1970, both. */
  created: number
  expires: number
  /** Where the person signed in from; '' when the server does not know addresses. */
  address: string
  user_agent: string
}

/**
 * What a token turned out to be: `revoked` is one of ours, still in its time, whose session was ended;
 * `none` is anything else that is no good.
 */
export type Verdict = { state: 'good'; session: Session } | { state: 'revoked' } | { state: 'none' }

export interface Sessions {
  open(person: { userId: number; address: string; userAgent: string }): Promise<Grant>
  /** Gives a full new lifetime; tokens given before keep working until their own end. */
  renew(session: Session): Promise<Grant>
  check(token: string | undefined): Promise<Verdict>
  /** Whether a session that was good when something long began still is. */
  isAlive(session: Session): boolean
  /** The sessions of a user whose time is not over, the latest first. */
  of(userId: number): Session[]
  /** Whether somebody who signed in there still is, or was within the life of a session. */
  isKnown(address: string): boolean
  /** Ends these. */
  end(sessions: readonly Session[]): void
  /** Ends all sessions of a user at once. */
  revokeAll(userId: number): void
}

export interface Grant {
  token: string
  /** RFC 3339, whole seconds. */
  expire: string
}

/** Seconds; also the life of the cookie. */
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

  // Tokens count in whole seconds: rounding up keeps "one hour" from being a moment less.
  const nextEnd = () => Math.ceil(now() / 1000) + sessionLifetime

  async function grant(sessionKey: string, end: number): Promise<Grant> {
    const token = await new SignJWT({ sid: sessionKey })
      .setProtectedHeader({ alg: algorithm })
      .setIssuedAt(Math.floor(now() / 1000))
      .setExpirationTime(end)
      .sign(key)
    return { token, expire: new Date(end * 1000).toISOString().replace('.000Z', 'Z') }
  }

  const end = (sessions: readonly Session[]) => void table.remove(sessions.map(({ id }) => id))

  const forgetEnded = () => end(table.all().filter(({ expires }) => expires <= now()))

  return {
    async open({ userId, address, userAgent }) {
      forgetEnded()
      const end = nextEnd()
      const session = { key: randomBytes(18).toString('base64url'), created: now(), expires: end * 1000 }
      table.insert({ ...session, user_id: userId, address, user_agent: userAgent.slice(0, 512) })
      return grant(session.key, end)
    },
    async renew(session) {
      const end = nextEnd()
      table.update(session.id, { expires: end * 1000 })
      return grant(session.key, end)
    },
    async check(token) {
      const sessionKey = token ? await keyIn(token, key, now()) : undefined
      if (!sessionKey) return { state: 'none' }
      const [session] = table.find({ key: sessionKey })
      return session ? { state: 'good', session } : { state: 'revoked' }
    },
    isAlive({ id }) {
      const kept = table.get(id)
      return kept !== undefined && kept.expires > now()
    },
    of: (userId) =>
      table
        .find({ user_id: userId })
        .filter(({ expires }) => expires > now())
        .reverse(),
    isKnown: (address) => table.find({ address }).length > 0,
    end,
    revokeAll: (userId) => end(table.find({ user_id: userId })),
  }
}

/** The session that a token names, if we signed it and its time is not over. */
async function keyIn(token: string, key: Uint8Array, now: number): Promise<string | undefined> {
  try {
    // Naming the algorithm is what refuses `none`, and a public key passed off as a shared one.
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      requiredClaims: ['exp'],
      currentDate: new Date(now),
    })
    return typeof payload.sid === 'string' ? payload.sid : undefined
  } catch {
    // Garbage, foreign or over: all the same to whoever asks.
    return undefined
  }
}
