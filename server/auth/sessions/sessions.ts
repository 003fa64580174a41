import { randomBytes, webcrypto } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { Store } from '../../db/store.ts'
import { openSessions, type Session } from './savedSessions.ts'
import { secretIn } from './sealedTokens.ts'

export type { Session }

export interface Sessions {
  open(person: { userId: number; address: string; userAgent: string }): Promise<Grant>
  /** Starts a new lifetime; earlier tokens stay valid until they expire. */
  renew(session: Session): Promise<Grant>
  /** Somebody has proved again who they are. */
  recordProof(session: Session): void
  /** It is used from an address of the other family for the first time. */
  recordOtherAddress(session: Session, address: string): void
  /** Milliseconds since the last proof. To renew a session is none. */
  proofAge(session: Session): number
  /** The session of a token of ours, unless it has expired or was ended. */
  check(token: string | undefined): Promise<Session | undefined>
  /** A session that was valid when something long started, as it is now; `undefined` when it has ended. */
  current(session: Session): Session | undefined
  /** The sessions of a user that have not expired, the latest first. */
  ofUser(userId: number): Session[]
  /** Whether somebody signed in from this address recently: the session has not been deleted yet. */
  hasSignedInFrom(address: string): boolean
  end(sessions: readonly Session[]): void
  /** Ends all sessions of a user at once. */
  revokeAll(userId: number): void
  /** To be called before the store is closed. */
  close(): void
}

export interface Grant {
  token: string
  /** RFC 3339, whole seconds. */
  expire: string
}

/** Seconds; also the max-age of the cookie. */
export const sessionLifetime = 3600

const algorithm = 'HS256'
const hmac = { name: 'HMAC', hash: 'SHA-256' }

/** The sessions of one user at a time; the next sign-in ends the oldest one. */
export const maxSessionsPerUser = 1_000

/**
 * @param now the clock, in milliseconds since 1970
 * @param onFailure called when sessions cannot be saved, as on a full disk; they count all the same
 */
export function createSessions(
  store: Store,
  now: () => number,
  onFailure: (error: unknown) => void = () => {},
): Sessions {
  // Imported once: from its bytes it would be imported for each token, which takes half of the time of checking one.
  const key = webcrypto.subtle.importKey('raw', secretIn(store, 'auth.tokenKey'), hmac, false, ['sign', 'verify'])
  const saved = openSessions(store, onFailure)

  /** Milliseconds since 1970: until then no session expires, and none has to be looked for. */
  let firstEnd = 0

  /** Tokens expire at whole seconds: rounded up, so that one hour is never less. */
  function nextExpiry(): number {
    const expiry = Math.ceil(now() / 1000) + sessionLifetime
    firstEnd = Math.min(firstEnd, expiry * 1000)
    return expiry
  }

  async function grant(sessionKey: string, expiry: number): Promise<Grant> {
    const token = await new SignJWT({ sid: sessionKey })
      .setProtectedHeader({ alg: algorithm })
      .setIssuedAt(Math.floor(now() / 1000))
      .setExpirationTime(expiry)
      .sign(await key)
    return { token, expire: new Date(expiry * 1000).toISOString().replace('.000Z', 'Z') }
  }

  /** One that was opened while the clock was ahead would last until that time comes again. */
  const isValid = ({ expires }: Session) => expires > now() && expires <= now() + 2 * sessionLifetime * 1000

  const ofUser = (userId: number) => saved.find({ user_id: userId })

  /** All sessions are read only when one of them has expired: at each sign-in they would be many where people are. */
  function takeExpired(): Session[] {
    if (firstEnd > now()) return []
    firstEnd = Number.POSITIVE_INFINITY
    return saved.find({}).filter(({ expires }) => {
      const isExpired = expires <= now()
      if (!isExpired) firstEnd = Math.min(firstEnd, expires)
      return isExpired
    })
  }

  const removeOld = (userId: number) =>
    saved.remove([...takeExpired(), ...ofUser(userId).slice(0, 1 - maxSessionsPerUser)])

  return {
    async open({ userId, address, userAgent }) {
      removeOld(userId)
      const expiry = nextExpiry()
      const session = { key: randomBytes(18).toString('base64url'), created: now(), expires: expiry * 1000 }
      saved.add({
        ...session,
        proved: session.created,
        user_id: userId,
        address,
        other_address: '',
        user_agent: userAgent.slice(0, 512),
      })
      return grant(session.key, expiry)
    },
    async renew(session) {
      const expiry = nextExpiry()
      saved.change(session, { expires: expiry * 1000 })
      return grant(session.key, expiry)
    },
    recordProof: (session) => saved.change(session, { proved: now() }),
    proofAge: ({ proved, created }) => now() - (proved || created),
    async check(token) {
      const sessionKey = token ? await verifyToken(token, await key, now()) : undefined
      const [session] = sessionKey ? saved.find({ key: sessionKey }) : []
      return session && isValid(session) ? session : undefined
    },
    current({ id }) {
      const session = saved.get(id)
      return session && isValid(session) ? session : undefined
    },
    ofUser: (userId) => ofUser(userId).filter(isValid).reverse(),
    recordOtherAddress: (session, address) => saved.change(session, { other_address: address }),
    hasSignedInFrom: (address) =>
      saved.find({ address }).length > 0 || (address !== '' && saved.find({ other_address: address }).length > 0),
    end: saved.remove,
    revokeAll: (userId) => saved.remove(ofUser(userId)),
    close: saved.close,
  }
}

/** The session key in a token, if we signed it and it has not expired. */
async function verifyToken(token: string, key: webcrypto.CryptoKey, now: number): Promise<string | undefined> {
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
