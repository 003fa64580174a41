import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { oauth2Intents } from '../../../src/schemas/define/wireNames.ts'
import type { Store } from '../../db/store.ts'
import type { Settings } from '../../settings.ts'
import { readSite } from '../../site/site.ts'
import { isLoopbackAddress, isOverTls } from '../addresses/clientAddress.ts'
import { createSealedTokens, secretIn } from '../sessions/sealedTokens.ts'

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

export const callbackPath = '/api/v1/oauth2/callback'

/**
 * Where a provider sends the browser back to (docs/contract/CONTRACT.md#53-oauth2): the public URL; without one the
 * host name of the request, or the setting `dashboard_host` when the request has another name than ours.
 */
export function callbackUrl(
  request: FastifyRequest,
  store: Store,
  { host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>,
): string {
  if (publicUrl) return publicUrl.origin + callbackPath
  const { dashboard_host, web_real_ip_header } = readSite(store)
  const requestedHost = request.hostname.replace(/^\[(.*)\]$/, '$1')
  const isOwnName = ['localhost', host].includes(requestedHost) || isLoopbackAddress(requestedHost)
  const name = !isOwnName && typeof dashboard_host === 'string' && dashboard_host !== '' ? dashboard_host : request.host
  return `${isSecure(request, web_real_ip_header) ? 'https' : 'http'}://${name}${callbackPath}`
}

/** Also by the page that the request comes from: not every proxy with TLS says so. */
const isSecure = (request: FastifyRequest, realIpHeader: string) =>
  isOverTls(request, realIpHeader) || (request.headers.referer ?? '').startsWith('https://')
