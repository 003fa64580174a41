import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import { type Oauth2Failure, pendingFactorCookie, pendingSignInCookie } from '../../../src/schemas/define/wireNames.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { createPlaceQueue, type PlaceQueue, waitForPlace } from '../../concurrency/placeQueue.ts'
import type { WarnRarely } from '../../http/rareWarning.ts'
import { ApiError } from '../../wire/apiCall.ts'
import { addressGroup } from '../addresses/clientAddress.ts'
import type { Auth } from '../auth.ts'
import { BlockedError } from '../blocking/blockedPage.ts'
import { authenticate } from '../guard.ts'
import { bindAccount, type SignInFromOutside } from '../outside/signInFromOutside.ts'
import { heldSignInLifetime, type SignIns } from '../proofs/signIns.ts'
import { callsItself, type Providers } from '../providers/providers.ts'
import { ProxyHeaderError } from '../providers/proxyHeader.ts'
import type { Proxied } from '../providers/signInProviders.ts'
import type { Grant } from '../sessions/sessions.ts'
import type { AccountFacts } from './client.ts'
import { bindsAccount, callbackPath, type PendingSignIn, type PendingSignIns } from './pendingSignIns.ts'

export interface CallbackOptions {
  auth: Auth
  /** Those by which people can sign in now. */
  providers: () => Providers
  signInFromOutside: SignInFromOutside
  pendingSignIns: PendingSignIns
  audit: AuditLog
  warnRarely: WarnRarely
  signIns: SignIns
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

type SignInOptions = Pick<CallbackOptions, 'auth' | 'signInFromOutside' | 'signIns'>

/** Why a sign-in or a binding failed. */
class CallbackError extends Error {
  readonly code: Oauth2Failure

  constructor(code: Oauth2Failure) {
    super(code)
    this.code = code
  }
}

/**
 * Codes that are exchanged at a time, by the address that brings them: strangers guess them, and each is a request to a
 * provider. Those that wait are refused as soon as the first one of their address was wrong.
 */
const exchanges = { perKey: 5, total: 50, waiting: 1000, waitMs: 20_000 } as const

const login = `${consolePath}/login`
const profile = `${consolePath}/profile`

/** The route to which a provider redirects. Success and failure alike end in a redirect to a page that explains them. */
export function registerCallback(app: FastifyInstance, options: CallbackOptions): void {
  const { auth, pendingSignIns } = options
  const places = createPlaceQueue(exchanges)
  app.get(callbackPath, async (request, reply) => {
    // Not behind the guard: the client may still send the cookie of an ended session.
    await authenticate(auth, request)
    const query = new URL(request.url, 'http://localhost').searchParams
    const pending = await pendingSignIns.take(request.cookies[pendingSignInCookie], query.get('state') ?? undefined)
    // The cookie may be that of a later sign-in in another tab.
    if (pending) reply.clearCookie(pendingSignInCookie, { path: '/' })
    const isBinding = pending ? bindsAccount(pending) : request.person !== undefined
    try {
      if (!pending) throw new CallbackError('state')
      const account = await identifyAccount(request, pending, query, { ...options, places })
      if (isBinding) auth.sessionCookies.set(request, reply, await bind(request, account, options))
      else if (!(await signIn(request, reply, account, options))) {
        return redirect(reply, `${login}?second_factor=true`)
      }
      return redirect(reply, `${isBinding ? profile : login}?oauth2=true`)
    } catch (error) {
      if (!(error instanceof CallbackError)) throw error
      const page = isBinding && request.person ? profile : login
      return redirect(reply, `${page}?oauth2_error=${error.code}`)
    }
  })
}

/** Who somebody is at a provider. */
interface Account extends AccountFacts {
  /** Its `id` is that in the database; 0 for one of the file. */
  provider: { id: number; name: string }
}

/** The account at the provider. Guessed codes count as failures of the address. @throws BlockedError soon after one */
async function identifyAccount(
  request: FastifyRequest,
  pending: PendingSignIn,
  query: URLSearchParams,
  { auth, providers, warnRarely, places }: CallbackOptions & { places: PlaceQueue },
): Promise<Account> {
  // The account must not be bound to another user than the one who started.
  if (bindsAccount(pending) && (!request.person || request.person.id !== pending.userId)) {
    throw new CallbackError('not_signed_in')
  }
  const providerError = query.get('error')
  if (providerError === 'access_denied') throw new CallbackError('denied')
  if (auth.proxies.named(pending.provider)) return accountAtProxy(request, pending.provider, { auth, warnRarely })
  const provider = providers().get(pending.provider)
  // It was renamed, disabled or deleted meanwhile.
  if (!provider) throw new CallbackError('state')
  const attempt = { kind: 'oauth2', browser: await auth.knownBrowsers.keyOf(request) } as const
  auth.waf.check(request.address, attempt)
  const recordFailure = () => auth.waf.recordFailure(request.address, attempt)
  if (providerError) {
    // Whoever opens the address chooses the words.
    warnOfProvider(warnRarely, provider.name, `it says ${JSON.stringify(providerError.slice(0, 100))}`, 'it says')
    throw new CallbackError('failed')
  }
  if (!query.get('code')) {
    recordFailure()
    throw new CallbackError('no_code')
  }
  // A provider that leads people on to another one must not be given the code that they get there. The library compares
  // the sender with the issuer of a provider; here it is one that has none in the file.
  const sender = [...providers().values()].find((other) => callsItself(other, query.get('iss')))
  if (sender && !callsItself(provider, query.get('iss'))) {
    warnOfProvider(warnRarely, provider.name, `the code is of "${sender.name}"`)
    throw new CallbackError('failed')
  }
  const { describeError, fetchAccount, RejectedCodeError } = await import('./client.ts')
  const leave = await waitForPlace(places, addressGroup(request.address))
  try {
    auth.waf.check(request.address, attempt)
    if (!leave) throw new Error('too many people sign in at the same time')
    const id = (provider.kind === 'openid' && provider.stored?.id) || 0
    const { noGroups, ...facts } = await fetchAccount(provider, pending, query)
    const hasRules = (auth.signInProviders.get(id)?.groups.length ?? 0) > 0
    if (hasRules && noGroups) {
      warnRarely(
        `The provider "${provider.name}" says nothing of groups: ${noGroups}`,
        `oauth2 groups ${id} ${noGroups}`,
      )
    }
    return { provider: { id, name: provider.name }, ...facts }
  } catch (error) {
    if (error instanceof BlockedError) throw error
    if (error instanceof RejectedCodeError) {
      recordFailure()
      throw new CallbackError('rejected')
    }
    warnOfProvider(warnRarely, provider.name, describeError(error))
    throw new CallbackError('failed')
  } finally {
    leave?.()
  }
}

/** Whom the proxy names in the request that its button led to. */
function accountAtProxy(
  request: FastifyRequest,
  name: string,
  { auth, warnRarely }: Pick<CallbackOptions, 'auth' | 'warnRarely'>,
): Account {
  try {
    const found = auth.proxies.personOf(request)
    if (found?.provider.name === name) return accountOf(found)
  } catch (error) {
    if (!(error instanceof ProxyHeaderError)) throw error
    warnOfProvider(warnRarely, name, error.message)
  }
  throw new CallbackError('failed')
}

const accountOf = ({ provider, person: { username, groups } }: Proxied): Account => ({
  provider,
  subject: username,
  username,
  groups,
})

/** Tells the operator why nobody can sign in. @param kind what is said once in a while; default: each reason */
export const warnOfProvider = (warnRarely: WarnRarely, name: string, reason: string, kind = reason): void =>
  warnRarely(`The OAuth2 provider "${name}" could not be used: ${reason}`, `oauth2 ${name} ${kind}`)

/** @returns whether the session is open; else it waits for the second factor, and the browser has a cookie to go on with */
async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { provider: { id, name }, subject, username, groups }: Account,
  { auth, signInFromOutside, signIns }: SignInOptions,
): Promise<boolean> {
  const result = await signInFromOutside({
    provider: auth.signInProviders.get(id) ?? { id: 0, name, create_accounts: false, groups: [] },
    subject,
    username,
    groups,
    address: request.address,
  })
  if ('refusal' in result) throw new CallbackError(result.refusal)
  const { user } = result
  if (!auth.secondFactor.has(user.id)) {
    await signIns.open(request, reply, user, { by: name })
    return true
  }
  reply.setCookie(pendingFactorCookie, await signIns.hold(request, user, name), {
    path: '/',
    maxAge: heldSignInLifetime,
    httpOnly: true,
    sameSite: 'strict',
    secure: auth.isTls,
  })
  return false
}

/**
 * Begins the session of somebody whom a proxy names.
 * @returns whether it is open, or waits for the second factor; or why not
 */
export async function signInByProxy(
  request: FastifyRequest,
  reply: FastifyReply,
  proxied: Proxied,
  options: SignInOptions,
): Promise<'open' | 'second factor' | { refusal: Oauth2Failure }> {
  try {
    return (await signIn(request, reply, accountOf(proxied), options)) ? 'open' : 'second factor'
  } catch (error) {
    if (error instanceof CallbackError) return { refusal: error.code }
    throw error
  }
}

async function bind(
  request: FastifyRequest,
  { provider, subject }: Account,
  { auth, audit, now }: CallbackOptions,
): Promise<Grant> {
  const { person, session, address } = request
  // The session may have ended while the provider answered.
  if (!person || !session || !auth.sessions.current(session)) throw new CallbackError('not_signed_in')
  try {
    bindAccount({ auth, audit, now }, person, { provider, subject, address })
  } catch (error) {
    if (error instanceof ApiError) throw new CallbackError('failed')
    throw error
  }
  return auth.sessions.renew(session)
}

const redirect = (reply: FastifyReply, location: string) =>
  reply
    .code(302)
    .header('location', location)
    .type('text/html; charset=utf-8')
    .send(`<a href="${location}">Found</a>.\n\n`)
