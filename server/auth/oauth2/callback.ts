import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import { type Oauth2Failure, pendingFactorCookie, pendingSignInCookie } from '../../../src/schemas/define/wireNames.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import type { Log } from '../../log.ts'
import type { Auth } from '../auth.ts'
import { authenticate } from '../guard.ts'
import { heldSignInLifetime, type SignIns } from '../proofs/signIns.ts'
import type { Grant } from '../sessions/sessions.ts'
import { callbackPath } from './callbackUrl.ts'
import { bindsAccount, type PendingSignIn, type PendingSignIns } from './pendingSignIns.ts'
import type { Provider, Providers } from './providers.ts'

export interface CallbackOptions {
  auth: Auth
  providers: Providers
  pendingSignIns: PendingSignIns
  audit: AuditLog
  log: Log
  signIns: SignIns
}

/** Why a sign-in or a binding failed. */
class CallbackError extends Error {
  readonly code: Oauth2Failure

  constructor(code: Oauth2Failure) {
    super(code)
    this.code = code
  }
}

const login = `${consolePath}/login`
const profile = `${consolePath}/profile`

/** The route to which a provider redirects. Success and failure alike end in a redirect to a page that explains them. */
export function registerCallback(app: FastifyInstance, options: CallbackOptions): void {
  const { auth, pendingSignIns } = options
  app.get(callbackPath, async (request, reply) => {
    // Not behind the guard: the client may still send the cookie of an ended session.
    await authenticate(auth, request)
    const query = new URL(request.url, 'http://localhost').searchParams
    const pending = await pendingSignIns.take(request.cookies[pendingSignInCookie], query.get('state') ?? undefined)
    reply.clearCookie(pendingSignInCookie, { path: '/' })
    const isBinding = pending ? bindsAccount(pending) : request.person !== undefined
    try {
      if (!pending) throw new CallbackError('state')
      const account = await identifyAccount(request, pending, query, options)
      if (isBinding) auth.sessionCookies.set(request, reply, await bind(request, pending.provider, account, options))
      else if (!(await signIn(request, reply, pending.provider, account, options))) {
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

/** The account at the provider. Guessed codes count as failures of the address. @throws BlockedError soon after one */
async function identifyAccount(
  request: FastifyRequest,
  pending: PendingSignIn,
  query: URLSearchParams,
  { auth, providers, log }: CallbackOptions,
): Promise<string> {
  // The account must not be bound to another user than the one who started.
  if (bindsAccount(pending) && (!request.person || request.person.id !== pending.userId)) {
    throw new CallbackError('not_signed_in')
  }
  const providerError = query.get('error')
  if (providerError === 'access_denied') throw new CallbackError('denied')
  const attempt = { kind: 'oauth2', browser: await auth.knownBrowsers.keyOf(request) } as const
  auth.waf.check(request.address, attempt)
  const recordFailure = () => auth.waf.recordFailure(request.address, attempt)
  if (!providerError && !query.get('code')) {
    recordFailure()
    throw new CallbackError('no_code')
  }
  const { describeError, fetchAccountId, RejectedCodeError } = await import('./client.ts')
  try {
    if (providerError) throw new Error(`it says ${JSON.stringify(providerError.slice(0, 100))}`)
    return await fetchAccountId(providers.get(pending.provider) as Provider, pending, query)
  } catch (error) {
    if (error instanceof RejectedCodeError) {
      recordFailure()
      throw new CallbackError('rejected')
    }
    log.warn(`The OAuth2 provider "${pending.provider}" could not be used: ${describeError(error)}`)
    throw new CallbackError('failed')
  }
}

/** @returns whether the session is open; else it waits for the second factor, and the browser has a cookie to go on with */
async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  provider: string,
  account: string,
  { auth, audit, signIns }: CallbackOptions,
): Promise<boolean> {
  const { address } = request
  const user = auth.activeUser(auth.bindings.userOf(provider, account))
  if (!user) {
    audit.write({ action: 'session.sign-in-failed', address, detail: { by: provider, outcome: 'unbound' } })
    throw new CallbackError('unbound')
  }
  if (!auth.secondFactor.has(user.id)) {
    await signIns.open(request, reply, user, { by: provider })
    return true
  }
  reply.setCookie(pendingFactorCookie, await signIns.hold(request, user, provider), {
    path: '/',
    maxAge: heldSignInLifetime,
    httpOnly: true,
    sameSite: 'strict',
    secure: auth.isTls,
  })
  return false
}

async function bind(
  request: FastifyRequest,
  provider: string,
  account: string,
  { auth, audit }: CallbackOptions,
): Promise<Grant> {
  const { person, session, address } = request
  // The session may have ended while the provider answered.
  if (!person || !session || !auth.sessions.current(session)) throw new CallbackError('not_signed_in')
  auth.bindings.bind(person.id, provider, account)
  audit.write({ action: 'oauth2.bind', person, address, target: provider })
  return auth.sessions.renew(session)
}

const redirect = (reply: FastifyReply, location: string) =>
  reply
    .code(302)
    .header('location', location)
    .type('text/html; charset=utf-8')
    .send(`<a href="${location}">Found</a>.\n\n`)
