import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  fetchProtectedResource,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { isObject } from '../../../src/schemas/define/values.ts'
import { codeChallenge, type PendingSignIn } from './pendingSignIns.ts'
import type { Provider } from './providers.ts'

/** The provider rejects the code: it was guessed, is used up, or belongs to another sign-in. */
export class RejectedCodeError extends Error {}

/** Seconds for one reply of a provider. */
const timeoutSeconds = 10

/** The page of the provider. PKCE with S256, always: a stolen code is of no use. */
export function authorizationUrl(provider: Provider, { state, verifier, redirectUri }: PendingSignIn): string {
  const { scopes } = provider
  return buildAuthorizationUrl(configure(provider, ClientSecretPost), {
    access_type: 'online',
    redirect_uri: redirectUri,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    state,
    code_challenge: codeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href
}

/**
 * Exchanges the code for a token, and asks with the token for the id of the account. Neither is stored.
 * @param query the query of the callback URL
 * @throws RejectedCodeError, or an error when the provider fails
 */
export async function fetchAccountId(
  provider: Provider,
  pending: PendingSignIn,
  query: URLSearchParams,
): Promise<string> {
  const { config, token } = await exchange(provider, pending, query, ClientSecretPost).catch((error) => {
    if (!isRejectedClient(error)) throw error
    // Some providers want the secret in a header. One that refuses the client has not used up the code.
    return exchange(provider, pending, query, ClientSecretBasic)
  })
  const reply = await fetchProtectedResource(config, token, provider.userInfoUrl, 'GET', undefined, accept)
  if (!reply.ok) throw new Error(`${provider.userInfoUrl.origin} answered ${reply.status} when asked who it was`)
  return accountIdAt(await reply.json(), provider.userIdPath)
}

const accept = new Headers({ accept: 'application/json' })

async function exchange(
  provider: Provider,
  pending: PendingSignIn,
  query: URLSearchParams,
  auth: typeof ClientSecretPost,
) {
  const config = configure(provider, auth)
  const returned = new URL(pending.redirectUri)
  returned.search = query.toString()
  // Without an issuer in the file there is nothing to compare the parameter with.
  if (!provider.issuer) returned.searchParams.delete('iss')
  try {
    const checks = { expectedState: pending.state, pkceCodeVerifier: pending.verifier }
    return { config, token: (await authorizationCodeGrant(config, returned, checks)).access_token }
  } catch (error) {
    if (isRejectedCode(error)) throw new RejectedCodeError(`${provider.name} does not take the code`, { cause: error })
    throw error
  }
}

/** GitHub answers `bad_verification_code`. */
const isRejectedCode = (error: unknown) =>
  error instanceof ResponseBodyError && ['invalid_grant', 'bad_verification_code'].includes(error.error)

const isRejectedClient = (error: unknown) =>
  error instanceof WWWAuthenticateChallengeError ||
  (error instanceof ResponseBodyError && error.error === 'invalid_client')

function configure(provider: Provider, auth: (secret: string) => ClientAuth): Configuration {
  const { authUrl, tokenUrl, userInfoUrl, issuer, clientId, clientSecret } = provider
  const config = new Configuration(
    {
      issuer: issuer ?? authUrl.origin,
      authorization_endpoint: authUrl.href,
      token_endpoint: tokenUrl.href,
      userinfo_endpoint: userInfoUrl.href,
    },
    clientId,
    undefined,
    auth(clientSecret),
  )
  config.timeout = timeoutSeconds
  config[customFetch] = (address, init) => fetchNormalized(address, init as RequestInit, issuer !== undefined)
  // The file allows http only for loopback addresses.
  const isPlain = [authUrl, tokenUrl, userInfoUrl].some(({ protocol }) => protocol === 'http:')
  if (isPlain) allowInsecureRequests(config)
  return config
}

/** Bytes: a token, or what a provider sends about an account. */
const maxReplyBytes = 1024 * 1024

/** @throws Error for a reply that is too long */
async function fetchLimited(address: string, init: RequestInit): Promise<Response> {
  const reply = await fetch(address, init)
  if (!reply.body) return reply
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of reply.body) {
    bytes += part.length
    if (bytes > maxReplyBytes) throw new Error(`${new URL(address).origin} sent more than 1 MiB`)
    parts.push(part)
  }
  return new Response(Buffer.concat(parts), reply)
}

/** Fetches a reply in the form of the standard: GitHub answers failures with 200. */
async function fetchNormalized(address: string, init: RequestInit, knowsIssuer: boolean): Promise<Response> {
  const reply = await fetchLimited(address, init)
  if (!reply.ok || init.method !== 'POST') return reply
  const body: unknown = await reply
    .clone()
    .json()
    .catch(() => undefined)
  if (!isObject(body)) return reply
  if (typeof body.error === 'string') return Response.json(body, { status: 400 })
  // An ID token cannot be verified without an issuer; the account is read from `user_info_url` anyway.
  if (!knowsIssuer && body.id_token !== undefined) return Response.json({ ...body, id_token: undefined })
  return reply
}

/** @param path dotted; list items by index */
function accountIdAt(userInfo: unknown, path: string): string {
  let value: unknown = userInfo
  for (const part of path.split('.')) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined
  }
  // A larger number was rounded by the parser, and could be the id of another account.
  if (Number.isSafeInteger(value)) return String(value)
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`its reply has no account id at "${path}"`)
}
