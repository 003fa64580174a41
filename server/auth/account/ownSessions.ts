import type { FastifyInstance, FastifyRequest } from 'fastify'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import { signedOutCookie } from '../../../src/schemas/define/wireNames.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { addAuditDetails, auditTarget, route } from '../../http/routes/route.ts'
import { ApiError } from '../../wire/apiError.ts'
import { timestamp } from '../../wire/timestamp.ts'
import type { Auth } from '../auth.ts'
import type { Session } from '../sessions/sessions.ts'

/** For which the sign-in page is known to be the one after a sign-out. */
const signedOutSeconds = 60

/** Routes that the contract does not have: list and end one's own sessions, and sign out at the server. */
export function registerOwnSessions(app: FastifyInstance, { sessions, sessionCookies, proxies, isTls }: Auth): void {
  const own = (request: FastifyRequest) => sessions.ofUser(request.person?.id ?? 0)

  function end(request: FastifyRequest, ended: readonly Session[]): void {
    sessions.end(ended)
    addAuditDetails(request, {
      target: auditTarget(
        'session',
        ended.map(({ id }) => id),
      ),
    })
  }

  route(app, 'ownSessions', endpoints.ownSessions, (request) =>
    own(request).map((session) => ({
      id: session.id,
      created_at: timestamp(session.created),
      ...(session.address && { address: session.address }),
      ...(session.other_address && { other_address: session.other_address }),
      ...(session.user_agent && { user_agent: session.user_agent }),
      ...(session.id === request.session?.id && { current: true }),
    })),
  )
  route(app, { name: 'endSession', audit: 'session.end' }, endpoints.endSession, (request) => {
    const { id } = request.params
    const session = own(request).find((one) => one.id === id)
    if (!session) throw new ApiError(`session id ${id} does not exist`)
    end(request, [session])
  })
  route(app, { name: 'endOtherSessions', audit: 'session.end' }, endpoints.endOtherSessions, (request) => {
    end(
      request,
      own(request).filter(({ id }) => id !== request.session?.id),
    )
  })
  route(app, { name: 'logout', audit: 'session.sign-out' }, endpoints.logout, (request, reply) => {
    if (request.session) end(request, [request.session])
    sessionCookies.clear(reply)
    // The page that comes next leads on to the proxy.
    if (request.session && proxies.hasSignOut(request)) {
      reply.setCookie(signedOutCookie, '1', {
        path: consolePath,
        maxAge: signedOutSeconds,
        httpOnly: true,
        sameSite: 'lax',
        secure: isTls,
      })
    }
  })
}
