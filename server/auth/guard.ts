import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { allows, includesScope, type TokenScope } from '../../src/schemas/define/access.ts'
import type { Consequence } from '../../src/schemas/define/effects.ts'
import { cookies, csrfFailure, csrfHeader, errorPrefix } from '../../src/schemas/define/wireNames.ts'
import type { Guard, GuardOptions } from '../http/routes/route.ts'
import type { TokenRights } from '../person.ts'
import { readSite } from '../site/site.ts'
import { ApiError } from '../wire/apiCall.ts'
import { isSameAddress } from './addresses/clientAddress.ts'
import { authenticateToken } from './apiTokens.ts'
import type { Auth } from './auth.ts'
import { requireRecentProof, requireSetup } from './secondFactor/reauthentication.ts'
import type { Session } from './sessions/sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of `person`; those with an API token have none. */
    session?: Session
    /**
     * Judges the request again, by what its session, API token and user are now: they may have ended, or have lost a role,
     * while the body was on its way or a password was hashed. It sets `person` and `session` anew. Every request is judged
     * again when its body has come; what waits after that calls this before it acts.
     * @param more what the body can lead to beyond what the route says
     * @throws ApiError
     */
    judgeAgain?: (more?: Consequence) => void
  }
}

/** @param forceAuth whether visitors have to sign in */
export function createGuard(auth: Auth, forceAuth = false): Guard {
  const { csrf, sessionCookies } = auth
  return (rule, options = {}) => {
    const { leadsTo, beforeSetup, scopes } = options
    const isPublic = rule === 'anyone' || (rule === 'visitor' && !forceAuth)

    function judge({ person, session }: FastifyRequest, reply: FastifyReply, more?: Consequence): void {
      if (person?.token) checkToken(person.token, options)
      if (person?.token && more) requireScopes(person.token, [more.scope])
      if (person && (person.token || !beforeSetup)) requireSetup(auth, person)
      if (isPublic) return
      if (!person || !(session || person.token)) refuseUnauthenticated(auth, reply)
      if (!allows(person.role, rule)) throw new ApiError('permission denied')
      if (!session) return
      for (const effect of [leadsTo, more?.leadsTo]) requireRecentProof(auth, { person, session, leadsTo: effect })
    }

    return async function guard(request, reply) {
      request.judgeAgain = (more) => {
        findPersonAgain(auth, request)
        judge(request, reply, more)
      }
      // What everybody may call without a scope takes no tokens, as on real servers.
      if ((rule !== 'anyone' || scopes) && authenticateToken(auth, request)) return judge(request, reply)
      await authenticate(auth, request)
      if (!isPublic && request.session) {
        if (isSafe(request.method)) sessionCookies.seedCsrf(request, reply)
        else if (!csrf.matches(request.cookies[cookies.csrf], request.headers[csrfHeader], request.session.key)) {
          throw new ApiError(csrfFailure, 403)
        }
      }
      judge(request, reply)
    }
  }
}

/**
 * Sets the person and session of a request to what they are now, or to none.
 * @throws ApiError with 401 when the API token has ended
 */
export function findPersonAgain(auth: Pick<Auth, 'current'>, request: FastifyRequest): void {
  if (!request.person) return
  const { token } = request.person
  const { person, session } = auth.current(request)
  if (token && !person) throw new ApiError(`${errorPrefix.unauthorized}: invalid api token`, 401)
  request.person = person
  request.session = session
}

/** What an API token may call. @throws ApiError in the contract's words, with 403 */
function checkToken(token: TokenRights, { scopes, keepsToServers }: GuardOptions): void {
  if (!scopes) throw forbidden('this endpoint is not accessible by api token')
  requireScopes(token, scopes)
  if (token.servers && !keepsToServers) {
    throw forbidden('this endpoint is not accessible by api token that is limited to servers')
  }
}

function requireScopes(token: TokenRights, scopes: readonly TokenScope[]): void {
  const missing = scopes.find((scope) => !includesScope(token.scopes, scope))
  if (missing) throw forbidden(`api token lacks scope ${missing}`)
}

const forbidden = (reason: string) => new ApiError(`${errorPrefix.forbidden}: ${reason}`, 403)

/** The error for requests without a session; a failed sign-in gets the same. */
export function refuseUnauthenticated({ store }: Pick<Auth, 'store'>, reply: FastifyReply): never {
  reply.header('www-authenticate', `JWT realm=${headerText(readSite(store).site_name || 'Wheelhouse')}`)
  throw new ApiError(errorPrefix.unauthorized)
}

const isSafe = (method: string) => method === 'GET' || method === 'HEAD'

/** Sets `request.session` and `request.person` for a valid session that is used from where the settings allow it. */
export async function authenticate(auth: Auth, request: FastifyRequest): Promise<void> {
  const session = await auth.sessions.check(tokenOf(request))
  const user = session && auth.activeUser(session.user_id)
  // From elsewhere the token may be a stolen one.
  if (!user || !mayUse(auth, session, request.address)) return
  // Through the proxy, the browser is now that of another person.
  if (auth.proxies.isOtherPerson(request, user.id)) return
  request.session = session
  request.person = { id: user.id, username: user.username, role: user.role, grants: auth.roles.grantsOf(user.id) }
}

/** A session keeps to one network of each family: the one of its sign-in, and the first of the other. */
function mayUse({ sessions, sessionNetwork }: Auth, session: Session, address: string): boolean {
  const { address: begun, other_address: other } = session
  if (other !== '' && isIP(address) === isIP(other)) return sessionNetwork.isSame(other, address)
  if (!sessionNetwork.isSame(begun, address)) return false
  const areKnown = isIP(begun) !== 0 && isIP(address) !== 0
  const isOtherFamily = areKnown && isIP(address) !== isIP(begun) && !isSameAddress(begun, address)
  if (isOtherFamily) sessions.recordOtherAddress(session, address)
  return true
}

/** `?token=` is not read: URLs end up in logs, histories and referrers. */
function tokenOf(request: FastifyRequest): string | undefined {
  const [, bearer] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  return bearer ?? request.cookies[cookies.session]
}

/** Text as its UTF-8 bytes, which is what the contract's servers send, without control characters. */
const headerText = (text: string) => Buffer.from(text.replace(/\p{Cc}/gu, ''), 'utf8').toString('latin1')
