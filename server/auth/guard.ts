import type { FastifyReply, FastifyRequest } from 'fastify'
import { allows } from '../../src/schemas/define/access.ts'
import { cookies, csrfFailure, csrfHeader, errorPrefix } from '../../src/schemas/define/wireNames.ts'
import type { Guard } from '../http/routes/guard.ts'
import { readSite } from '../site/site.ts'
import { ApiError } from '../wire/apiError.ts'
import { isSamePlace } from './addresses/clientAddress.ts'
import type { Auth } from './auth.ts'
import { blockIdentifiers, blockReasons } from './blocking/blockedAddresses.ts'
import { sendBlocked } from './blocking/blockedPage.ts'
import type { Session, Verdict } from './sessions/sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session behind `person`. */
    session?: Session
  }
}

export function createGuard(auth: Auth): Guard {
  const { csrf, sessionCookies, waf } = auth
  return (rule) =>
    async function guard(request, reply) {
      const verdict = await identify(auth, request)
      if (rule === 'anyone') {
        if (verdict.state !== 'revoked') return
        waf.offend(request.address, blockIdentifiers.token, blockReasons.tokenAttack)
        // Without a known address nobody can be blocked, and an ended session is nobody's.
        return waf.isBlocked(request.address) ? sendBlocked(waf, reply) : undefined
      }
      if (!request.person) return refuseStranger(auth, reply)
      if (!isSafe(request.method)) {
        const isOurs = csrf.matches(request.cookies[cookies.csrf], request.headers[csrfHeader])
        if (!isOurs) throw new ApiError(csrfFailure, 403)
      } else sessionCookies.seedCsrf(request, reply)
      if (!allows(request.person.role, rule)) throw new ApiError('permission denied')
    }
}

/** The refusal of somebody who is not signed in; a failed sign-in looks the same. */
export function refuseStranger({ store }: Pick<Auth, 'store'>, reply: FastifyReply): never {
  reply.header('www-authenticate', `JWT realm=${headerText(readSite(store).site_name || 'Wheelhouse')}`)
  throw new ApiError(errorPrefix.unauthorized)
}

const isSafe = (method: string) => method === 'GET' || method === 'HEAD'

/** Sets `request.session` and `request.person` for a good session that is used where it was opened. */
export async function identify({ sessions, users }: Auth, request: FastifyRequest): Promise<Verdict> {
  const verdict = await sessions.check(tokenOf(request))
  if (verdict.state !== 'good') return verdict
  const { session } = verdict
  const user = users.get(session.user_id)
  if (!user) return { state: 'revoked' }
  // A session lives where it was opened; elsewhere the token may be a stolen one.
  if (!isSamePlace(session.address, request.address)) return { state: 'none' }
  request.session = session
  request.person = { id: user.id, username: user.username, role: user.role }
  return verdict
}

/** `?token=` is not read: addresses end up in logs, histories and referrers. */
function tokenOf(request: FastifyRequest): string | undefined {
  const [, bearer] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  return bearer ?? request.cookies[cookies.session]
}

/** Text as its UTF-8 bytes, which is what the contract's servers send; line ends and other controls are left out. */
const headerText = (text: string) => Buffer.from(text.replace(/\p{Cc}/gu, ''), 'utf8').toString('latin1')
