import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Oauth2Failure, pendingSignInCookie } from '../../../src/schemas/define/wireNames.ts'
import type { Audit } from '../../audit/auditLog.ts'
import type { Log } from '../../log.ts'
import type { Auth } from '../auth.ts'
import { blockIdentifiers, blockReasons } from '../blocking/blockedAddresses.ts'
import { authenticate } from '../guard.ts'
import type { Grant } from '../sessions/sessions.ts'
import { callbackPath } from './callbackAddress.ts'
import { fetchAccountId, RejectedCode } from './client.ts'
import { bindsAccount, type PendingSignIn, type PendingSignIns } from './pendingSignIns.ts'
import type { Provider, Providers } from './providers.ts'

export interface CallbackOptions {
  auth: Auth
  providers: Providers
  visits: PendingSignIns
  audit: Audit
  log: Log
  /** Told of every good sign-in. */
  onSignIn(userId: number): void
}

/** Why a visit came to nothing. */
class Failure extends Error {
  readonly code: Oauth2Failure

  constructor(code: Oauth2Failure) {
    super(code)
    this.code = code
  }
}

const login = '/dashboard/login'
const profile = '/dashboard/profile'

/** Where the browser comes back from a provider. Whatever happens, it is led to a page that has words for it. */
export function registerCallback(app: FastifyInstance, options: CallbackOptions): void {
  const { auth, visits } = options
  app.get(callbackPath, { schema: { hide: true } }, async (request, reply) => {
    // Not behind the guard: whoever signs in anew may well carry the cookie of a session that was ended.
    await authenticate(auth, request)
    const query = new URL(request.url, 'http://localhost').searchParams
    const visit = await visits.open(request.cookies[pendingSignInCookie], query.get('state') ?? undefined)
    reply.clearCookie(pendingSignInCookie, { path: '/' })
    const isBinding = visit ? bindsAccount(visit) : request.person !== undefined
    try {
      if (!visit) throw new Failure('state')
      const account = await ask(request, visit, query, options)
      const grant = await (isBinding ? bind : signIn)(request, visit.provider, account, options)
      auth.sessionCookies.set(request, reply, grant)
      return lead(reply, `${isBinding ? profile : login}?oauth2=true`)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const page = isBinding && request.person ? profile : login
      return lead(reply, `${page}?oauth2_error=${error.code}`)
    }
  })
}

/** Finds out which account it is, and counts guesses. */
async function ask(
  request: FastifyRequest,
  visit: PendingSignIn,
  query: URLSearchParams,
  { auth, providers, log }: CallbackOptions,
): Promise<string> {
  // Who was somebody else at the start must not get the account bound.
  if (bindsAccount(visit) && (!request.person || request.person.id !== visit.userId)) {
    throw new Failure('not_signed_in')
  }
  const said = query.get('error')
  if (said === 'access_denied') throw new Failure('denied')
  const recordFailure = () => auth.waf.recordFailure(request.address, blockIdentifiers.token, blockReasons.oauth2Attack)
  if (!said && !query.get('code')) {
    recordFailure()
    throw new Failure('no_code')
  }
  try {
    if (said) throw new Error(`it says ${JSON.stringify(said.slice(0, 100))}`)
    return await fetchAccountId(providers.get(visit.provider) as Provider, visit, query)
  } catch (error) {
    if (error instanceof RejectedCode) {
      recordFailure()
      throw new Failure('rejected')
    }
    log.warn(`The OAuth2 provider "${visit.provider}" could not be used: ${wordsOf(error)}`)
    throw new Failure('failed')
  }
}

async function signIn(
  request: FastifyRequest,
  provider: string,
  account: string,
  { auth, audit, onSignIn }: CallbackOptions,
): Promise<Grant> {
  const { address } = request
  const user = auth.users.get(auth.bindings.userOf(provider, account) ?? 0)
  if (!user) {
    audit.write({ action: 'session.sign-in-failed', address, detail: { by: provider, outcome: 'unbound' } })
    throw new Failure('unbound')
  }
  auth.waf.clearFailures(address, user.id)
  const grant = await auth.sessions.open({
    userId: user.id,
    address,
    userAgent: request.headers['user-agent'] ?? '',
  })
  audit.write({ action: 'session.sign-in', person: user, address, detail: { by: provider } })
  onSignIn(user.id)
  return grant
}

async function bind(
  request: FastifyRequest,
  provider: string,
  account: string,
  { auth, audit }: CallbackOptions,
): Promise<Grant> {
  const { person, session, address } = request
  // The provider took its time: the session may have ended meanwhile.
  if (!person || !session || !auth.sessions.isAlive(session)) throw new Failure('not_signed_in')
  auth.bindings.bind(person.id, provider, account)
  audit.write({ action: 'oauth2.bind', person, address, target: provider })
  return auth.sessions.renew(session)
}

/** What went wrong between us and the provider, for the operator. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as Error
  const said = cause instanceof Error ? cause.message : (cause as { error?: unknown } | undefined)?.error
  return typeof said === 'string' ? `${message} (${JSON.stringify(said).slice(1, -1)})` : message
}

const lead = (reply: FastifyReply, location: string) =>
  reply
    .code(302)
    .header('location', location)
    .type('text/html; charset=utf-8')
    .send(`<a href="${location}">Found</a>.\n\n`)
