import { createHash, randomBytes } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { oauth2Intents } from '../../../src/schemas/define/wireNames.ts'
import type { Store } from '../../db/store.ts'
import { secretIn } from '../sessions/secret.ts'

/** A browser's way to a provider and back. */
export interface PendingSignIn {
  /** Repeated by the provider: the answer belongs to this visit. */
  state: string
  provider: string
  intent: number
  /** Who binds an account; left out when nobody was signed in. */
  userId?: number
  /** The secret half of PKCE. */
  verifier: string
  /** Where the provider was told to send the browser. */
  redirectUri: string
}

/** Whether an account is to be bound; everything else signs in, as real servers have it. */
export const bindsAccount = ({ intent }: Pick<PendingSignIn, 'intent'>) => intent === oauth2Intents.bind

/** Keeps visits in the browsers that make them, sealed, so that strangers who begin many take no memory here. */
export interface PendingSignIns {
  /** @returns the value of the cookie */
  seal(visit: Omit<PendingSignIn, 'state' | 'verifier'>): Promise<{ cookie: string; visit: PendingSignIn }>
  /** The visit of this browser that `state` belongs to, in its time and once. */
  open(cookie: string | undefined, state: string | undefined): Promise<PendingSignIn | undefined>
}

/** Seconds; also the life of the cookie. */
export const pendingSignInLifetime = 300

/** So many used states are remembered: beyond, only the provider's own rule holds, by which a code counts once. */
const mostUsed = 10_000

/** @param now the clock, in milliseconds since 1970 */
export function createPendingSignIns(store: Store, now: () => number): PendingSignIns {
  const key = secretIn(store, 'auth.oauth2Key')
  /** When each state was used, the earliest first. */
  const used = new Map<string, number>()

  function takeOnce(state: string): boolean {
    for (const [old, at] of used) {
      const isOver = at + pendingSignInLifetime * 1000 <= now()
      if (!isOver && used.size < mostUsed) break
      used.delete(old)
    }
    if (used.has(state)) return false
    used.set(state, now())
    return true
  }

  return {
    async seal(facts) {
      const visit: PendingSignIn = { ...facts, state: randomText(), verifier: randomText() }
      const cookie = await new EncryptJWT({ visit })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor(now() / 1000) + pendingSignInLifetime)
        .encrypt(key)
      return { cookie, visit }
    },
    async open(cookie, state) {
      if (!cookie || !state) return undefined
      try {
        const { payload } = await jwtDecrypt<{ visit: PendingSignIn }>(cookie, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          requiredClaims: ['exp'],
          currentDate: new Date(now()),
        })
        const { visit } = payload
        return visit.state === state && takeOnce(state) ? visit : undefined
      } catch {
        // Garbage, foreign or over: no visit of ours.
        return undefined
      }
    },
  }
}

/** 43 characters, as both a state and a PKCE verifier take them. */
const randomText = () => randomBytes(32).toString('base64url')

/** The half of PKCE that everybody may see (S256). */
export const codeChallenge = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
