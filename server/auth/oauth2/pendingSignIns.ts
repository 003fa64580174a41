import { createHash, randomBytes } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { oauth2Intents } from '../../../src/schemas/define/wireNames.ts'
import type { Store } from '../../db/store.ts'
import { secretIn } from '../sessions/secret.ts'

/** A sign-in or binding that was started here and continues at the provider. */
export interface PendingSignIn {
  /** Repeated by the provider in the callback, which so belongs to this sign-in. */
  state: string
  provider: string
  intent: number
  /** The user who binds an account; absent when nobody was signed in. */
  userId?: number
  /** The secret half of PKCE. */
  verifier: string
  /** The callback URL that the provider was given. */
  redirectUri: string
}

/** Whether an account is to be bound; everything else signs in, as real servers have it. */
export const bindsAccount = ({ intent }: Pick<PendingSignIn, 'intent'>) => intent === oauth2Intents.bind

/** Pending sign-ins, each in an encrypted cookie: unknown clients who start many of them use no memory here. */
export interface PendingSignIns {
  /** @returns the value of the cookie */
  create(pending: Omit<PendingSignIn, 'state' | 'verifier'>): Promise<{ cookie: string; pending: PendingSignIn }>
  /** The sign-in of this cookie, once, if `state` belongs to it and it has not expired. */
  take(cookie: string | undefined, state: string | undefined): Promise<PendingSignIn | undefined>
}

/** Seconds; also the max-age of the cookie. */
export const pendingSignInLifetime = 300

/** The number of used states in memory. Beyond it, only the provider prevents that a code is used twice. */
const maxUsedStates = 10_000

/** @param now the clock, in milliseconds since 1970 */
export function createPendingSignIns(store: Store, now: () => number): PendingSignIns {
  const key = secretIn(store, 'auth.oauth2Key')
  /** Time of use by state, the earliest first. */
  const usedStates = new Map<string, number>()

  function markUsed(state: string): boolean {
    for (const [old, at] of usedStates) {
      const isExpired = at + pendingSignInLifetime * 1000 <= now()
      if (!isExpired && usedStates.size < maxUsedStates) break
      usedStates.delete(old)
    }
    if (usedStates.has(state)) return false
    usedStates.set(state, now())
    return true
  }

  return {
    async create(options) {
      const pending: PendingSignIn = { ...options, state: randomText(), verifier: randomText() }
      const cookie = await new EncryptJWT({ pending })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor(now() / 1000) + pendingSignInLifetime)
        .encrypt(key)
      return { cookie, pending }
    },
    async take(cookie, state) {
      if (!cookie || !state) return undefined
      try {
        const { payload } = await jwtDecrypt<{ pending: PendingSignIn }>(cookie, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          requiredClaims: ['exp'],
          currentDate: new Date(now()),
        })
        const { pending } = payload
        return pending.state === state && markUsed(state) ? pending : undefined
      } catch {
        // Invalid, not ours, or expired.
        return undefined
      }
    },
  }
}

/** 43 characters, valid both as a state and as a PKCE verifier. */
const randomText = () => randomBytes(32).toString('base64url')

/** The public half of PKCE (S256). */
export const codeChallenge = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
