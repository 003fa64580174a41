import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  clockTolerance,
  customFetch,
  enableNonRepudiationChecks,
  fetchProtectedResource,
  fetchUserInfo,
  type IDToken,
  None,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { errorCause, errorMessage } from '../../../src/domain/errors.ts'
import { fieldsIn, isObject } from '../../../src/schemas/define/values.ts'
import { failureReason } from '../../outbound/failureReason.ts'
import type { Oauth2Provider, OpenidProvider, Provider } from '../providers/providers.ts'
import { type Fetch, fetchGuarded, metadataOf, timeoutSeconds } from './discovery.ts'
import { codeChallenge, type PendingSignIn } from './pendingSignIns.ts'

/** The provider rejects the code: it was guessed, is used up, or belongs to another sign-in. */
export class RejectedCodeError extends Error {}

/**
 * The page of the provider. PKCE with S256, always: a stolen code is of no use.
 * @throws Error when an OpenID provider does not say where it is
 */
export async function authorizationUrl(provider: Provider, pending: PendingSignIn): Promise<string> {
  const { scopes, kind } = provider
  const { state, nonce, verifier, redirectUri } = pending
  return buildAuthorizationUrl(await configure(provider, ClientSecretPost), {
    ...(kind === 'oauth2' ? { access_type: 'online' } : { nonce }),
    redirect_uri: redirectUri,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    state,
    code_challenge: codeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href
}

/** What is known of an account at a provider. */
export interface AccountFacts {
  /** Its id, which begins with the issuer for an OpenID provider. */
  subject: string
  /** What the provider calls them; only of providers in the database. */
  username?: string
  /** The groups that it says they are in; `undefined` when it says nothing of groups. */
  groups?: readonly string[]
  /** Why there are none, where the provider says it. */
  noGroups?: string
}

/**
 * Exchanges the code for a token, and finds out with it whose account it is. Neither is stored.
 * @param query the query of the callback URL
 * @throws RejectedCodeError, or an error when the provider fails
 */
export async function fetchAccount(
  provider: Provider,
  pending: PendingSignIn,
  query: URLSearchParams,
): Promise<AccountFacts> {
  const { config, tokens } = await exchange(provider, pending, query, ClientSecretPost).catch((error) => {
    if (!isRejectedClient(error)) throw error
    // Some providers want the secret in a header. One that refuses the client has not used up the code.
    return exchange(provider, pending, query, ClientSecretBasic)
  })
  if (provider.kind === 'openid') {
    const claims = tokens.claims()
    const subject = subjectOf(provider, claims)
    if (!provider.stored || !claims) return { subject }
    return { subject, ...(await readClaims(config, provider.stored, claims, tokens.access_token)) }
  }
  const reply = await fetchProtectedResource(
    config,
    tokens.access_token,
    provider.userInfoUrl,
    'GET',
    undefined,
    accept,
  )
  if (!reply.ok) throw new Error(`${provider.userInfoUrl.origin} answered ${reply.status} when asked who it was`)
  return { subject: accountIdAt(await reply.json(), provider.userIdPath) }
}

/**
 * The groups and the name of somebody: of the ID token and, for what that lacks, of what the provider says of the account
 * that the token is about.
 */
async function readClaims(
  config: Configuration,
  { groupsClaim, usernameClaim }: NonNullable<OpenidProvider['stored']>,
  claims: IDToken,
  accessToken: string,
): Promise<Omit<AccountFacts, 'subject'>> {
  const read = (from: object): Pick<AccountFacts, 'groups' | 'username'> => ({
    groups: groupsIn(valueAt(from, groupsClaim)),
    username: nameIn(from),
  })
  const nameIn = (from: object) => {
    const value = valueAt(from, usernameClaim)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const said = read(claims)
  const isComplete = said.groups !== undefined && said.username !== undefined
  const more =
    isComplete || !config.serverMetadata().userinfo_endpoint
      ? {}
      : read(await fetchUserInfo(config, accessToken, claims.sub))
  const groups = said.groups ?? more.groups
  const noGroups = leavesGroupsOut(claims, groupsClaim)
    ? 'it leaves the groups of somebody out who is in too many: have it send only those that are assigned to the application'
    : `its claim "${groupsClaim}" is missing, or no list: have it send that, or correct the name of the claim`
  return { groups, username: said.username ?? more.username, ...(groups === undefined && { noGroups }) }
}

/**
 * Entra ID leaves out the groups of somebody who is in more than 200, and says where to ask for them: at Microsoft Graph,
 * with rights that a sign-in has not.
 */
const leavesGroupsOut = (claims: IDToken, groupsClaim: string) =>
  Object.hasOwn(fieldsIn(claims._claim_names), groupsClaim) || claims.hasgroups === true || claims.hasgroups === 'true'

/** The names of groups in a claim: a list, or one text. What is no text in a list is no name; another value says nothing. */
function groupsIn(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined
}

/** What is at a dotted path; list items by index. A name with dots counts as it is, as in `https://example.org/groups`. */
function valueAt(from: unknown, path: string): unknown {
  const own = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
  return own(from, path) ?? path.split('.').reduce(own, from)
}

const accept = new Headers({ accept: 'application/json' })

/** Seconds by which clocks may differ. */
const clockDifference = 30

/**
 * Who an ID token is about, once the library has checked its signature, issuer, audience, nonce and times. An id counts
 * for its issuer alone: another one that is entered under the same name knows other people.
 */
function subjectOf({ accountPrefix, clientId }: OpenidProvider, claims: IDToken | undefined): string {
  if (!claims) throw new Error('its reply has no ID token')
  if (claims.azp !== undefined && claims.azp !== clientId) throw new Error('its ID token is for another client (azp)')
  if (claims.iat > Date.now() / 1000 + clockDifference) throw new Error('its ID token is from the future (iat)')
  if (claims.sub === '' || claims.sub.length > maxSubject) throw new Error('its ID token names nobody (sub)')
  return accountPrefix + claims.sub
}

/** Characters: what the standard allows. */
const maxSubject = 255

async function exchange(
  provider: Provider,
  pending: PendingSignIn,
  query: URLSearchParams,
  auth: typeof ClientSecretPost,
) {
  const config = await configure(provider, auth)
  const returned = new URL(pending.redirectUri)
  returned.search = query.toString()
  // Without an issuer in the file there is nothing to compare the parameter with.
  if (!provider.issuer) returned.searchParams.delete('iss')
  const ofOpenid = provider.kind === 'openid' && { expectedNonce: pending.nonce, idTokenExpected: true }
  try {
    const checks = { expectedState: pending.state, pkceCodeVerifier: pending.verifier, ...ofOpenid }
    return { config, tokens: await authorizationCodeGrant(config, returned, checks) }
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

/** @param withSecret how the client proves itself where it has a secret */
async function configure(provider: Provider, withSecret: (secret: string) => ClientAuth): Promise<Configuration> {
  const auth = provider.clientSecret === '' ? None() : withSecret(provider.clientSecret)
  return provider.kind === 'openid' ? configureOpenid(provider, auth) : configureOauth2(provider, auth)
}

async function configureOpenid(provider: OpenidProvider, auth: ClientAuth): Promise<Configuration> {
  const { clientId, issuer } = provider
  const metadata = await metadataOf(provider)
  const config = new Configuration(metadata, clientId, { [clockTolerance]: clockDifference }, auth)
  config.timeout = timeoutSeconds
  config[customFetch] = fetchGuarded(issuer)
  // The connection to the provider is no proof for a token: only its keys are.
  enableNonRepudiationChecks(config)
  if (issuer.protocol === 'http:') allowInsecureRequests(config)
  return config
}

function configureOauth2(provider: Oauth2Provider, auth: ClientAuth): Configuration {
  const { authUrl, tokenUrl, userInfoUrl, issuer, clientId } = provider
  const config = new Configuration(
    {
      issuer: issuer ?? authUrl.origin,
      authorization_endpoint: authUrl.href,
      token_endpoint: tokenUrl.href,
      userinfo_endpoint: userInfoUrl.href,
    },
    clientId,
    undefined,
    auth,
  )
  config.timeout = timeoutSeconds
  config[customFetch] = fetchNormalized(fetchGuarded(authUrl, tokenUrl, userInfoUrl), issuer !== undefined)
  // The file allows http only for loopback addresses.
  const isPlain = [authUrl, tokenUrl, userInfoUrl].some(({ protocol }) => protocol === 'http:')
  if (isPlain) allowInsecureRequests(config)
  return config
}

/** Fetches replies in the form of the standard: GitHub answers failures with 200. */
function fetchNormalized(fetch: Fetch, knowsIssuer: boolean): Fetch {
  return async (address, init) => {
    const reply = await fetch(address, init)
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
}

/** @param path dotted; list items by index */
function accountIdAt(userInfo: unknown, path: string): string {
  const value = valueAt(userInfo, path)
  // A larger number was rounded by the parser, and could be the id of another account.
  if (Number.isSafeInteger(value)) return String(value)
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`its reply has no account id at "${path}"`)
}

/** Characters: providers choose some of them. */
const maxDescription = 500

/** What went wrong between us and the provider, for the operator. */
export function describeError(error: unknown): string {
  const [message, cause] = [errorMessage(error), errorCause(error)]
  // The library of the requests has one message for all of them.
  if (message === 'fetch failed') return failureReason(cause)
  const reason = cause instanceof Error ? cause.message : fieldsIn(cause).error
  const description = typeof reason === 'string' ? `${message} (${JSON.stringify(reason).slice(1, -1)})` : message
  return description.slice(0, maxDescription)
}
