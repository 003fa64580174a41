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
import { codeChallenge, type PendingSignIn } from './pendingSignIns.ts'
import type { Provider } from './providers.ts'

/** The provider does not take the code: it was guessed, is used up, or belongs to another visit. */
export class RejectedCode extends Error {}

/** Seconds that a provider may take for one reply. */
const patience = 10

/** Where the browser goes. PKCE with S256, always: who steals the code cannot use it. */
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
 * Changes the code for a token, and the token for the id of the account. Nothing of either is kept.
 * @param query what the provider sent the browser back with
 * @throws RejectedCode, or an error about a provider that does not do its part
 */
export async function fetchAccountId(
  provider: Provider,
  visit: PendingSignIn,
  query: URLSearchParams,
): Promise<string> {
  const { config, token } = await exchange(provider, visit, query, ClientSecretPost).catch((error) => {
    if (!refusesClient(error)) throw error
    // Some want the secret in a header. A provider that refuses the client has not used up the code.
    return exchange(provider, visit, query, ClientSecretBasic)
  })
  const reply = await fetchProtectedResource(config, token, provider.userInfoUrl, 'GET', undefined, accept)
  if (!reply.ok) throw new Error(`${provider.userInfoUrl.origin} answered ${reply.status} when asked who it was`)
  return accountIn(await reply.json(), provider.userIdPath)
}

const accept = new Headers({ accept: 'application/json' })

async function exchange(
  provider: Provider,
  visit: PendingSignIn,
  query: URLSearchParams,
  auth: typeof ClientSecretPost,
) {
  const config = configure(provider, auth)
  const returned = new URL(visit.redirectUri)
  returned.search = query.toString()
  // Who the provider says it is can be compared with what the file says, or with nothing.
  if (!provider.issuer) returned.searchParams.delete('iss')
  try {
    const checks = { expectedState: visit.state, pkceCodeVerifier: visit.verifier }
    return { config, token: (await authorizationCodeGrant(config, returned, checks)).access_token }
  } catch (error) {
    if (rejectsCode(error)) throw new RejectedCode(`${provider.name} does not take the code`, { cause: error })
    throw error
  }
}

/** `bad_verification_code` is GitHub's word for it. */
const rejectsCode = (error: unknown) =>
  error instanceof ResponseBodyError && ['invalid_grant', 'bad_verification_code'].includes(error.error)

const refusesClient = (error: unknown) =>
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
  config.timeout = patience
  config[customFetch] = (address, init) => readable(address, init as RequestInit, issuer !== undefined)
  // The file lets nothing through without TLS but this machine's own addresses.
  const isPlain = [authUrl, tokenUrl, userInfoUrl].some(({ protocol }) => protocol === 'http:')
  if (isPlain) allowInsecureRequests(config)
  return config
}

/** A provider's reply as the standard has it. GitHub answers failures with 200. */
async function readable(address: string, init: RequestInit, knowsIssuer: boolean): Promise<Response> {
  const reply = await fetch(address, init)
  if (!reply.ok || init.method !== 'POST') return reply
  const body = (await reply
    .clone()
    .json()
    .catch(() => undefined)) as Record<string, unknown> | undefined
  if (typeof body?.error === 'string') return Response.json(body, { status: 400 })
  // An ID token is of no use without the name of who issued it; who it was is asked at `user_info_url`.
  if (!knowsIssuer && body?.id_token !== undefined) return Response.json({ ...body, id_token: undefined })
  return reply
}

/** @param path dotted; list items by number */
function accountIn(facts: unknown, path: string): string {
  let found: unknown = facts
  for (const part of path.split('.')) {
    const isInside = typeof found === 'object' && found !== null && Object.hasOwn(found, part)
    found = isInside ? (found as Record<string, unknown>)[part] : undefined
  }
  // A number that was rounded on reading could be somebody else's.
  if (Number.isSafeInteger(found)) return String(found)
  if (typeof found === 'string' && found !== '') return found
  throw new Error(`its reply has no account id at "${path}"`)
}
