import { createHash, randomBytes } from 'node:crypto'
import { oauth2Intents } from '../../../src/schemas/define/wireNames.ts'
import type { Store } from '../../db/store.ts'
import { createSealedTokens } from '../sessions/sealedTokens.ts'
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
  /** Repeated by an OpenID provider in the ID token, which so belongs to this sign-in. */
  nonce: string
  /** The callback URL that the provider was given. */
  redirectUri: string
}

/** Whether an account is to be bound; everything else signs in, as real servers have it. */
export const bindsAccount = ({ intent }: Pick<PendingSignIn, 'intent'>) => intent === oauth2Intents.bind

/** Pending sign-ins, each in an encrypted cookie: unknown clients who start many of them use no memory here. */
export interface PendingSignIns {
  /** @returns the value of the cookie */
  create(
    pending: Omit<PendingSignIn, 'state' | 'verifier' | 'nonce'>,
  ): Promise<{ cookie: string; pending: PendingSignIn }>
  /** The sign-in of this cookie, once, if `state` belongs to it and it has not expired. */
  take(cookie: string | undefined, state: string | undefined): Promise<PendingSignIn | undefined>
}

/** Seconds; also the max-age of the cookie. */
export const pendingSignInLifetime = 300

/** @param now the clock, in milliseconds since 1970 */
export function createPendingSignIns(store: Store, now: () => number): PendingSignIns {
  const tokens = createSealedTokens<PendingSignIn>({
    key: secretIn(store, 'auth.oauth2Key'),
    purpose: 'oauth2',
    lifetime: pendingSignInLifetime,
    now,
  })
  return {
    async create(options) {
      const pending: PendingSignIn = { ...options, state: randomText(), verifier: randomText(), nonce: randomText() }
      return { cookie: await tokens.create(pending), pending }
    },
    take: async (cookie, state) => (state ? tokens.take(cookie, (pending) => pending.state === state) : undefined),
  }
}

/** 43 characters, valid as a state, a nonce and a PKCE verifier. */
const randomText = () => randomBytes(32).toString('base64url')

/** The public half of PKCE (S256). */
export const codeChallenge = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
