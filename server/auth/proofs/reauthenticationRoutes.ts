import type { FastifyInstance, FastifyRequest } from 'fastify'
import { secondFactorEndpoints as calls } from '../../../src/schemas/endpoints/secondFactorEndpoints.ts'
import { route } from '../../http/routes/route.ts'
import { ApiError } from '../../wire/apiError.ts'
import { bodyReader } from '../../wire/readJson.ts'
import type { Auth } from '../auth.ts'
import type { User } from '../users/users.ts'
import type { Proofs } from './proofs.ts'

/** How a signed-in person proves again who they are. */
export function registerReauthentication(app: FastifyInstance, { auth, proofs }: { auth: Auth; proofs: Proofs }): void {
  function ownUser({ person }: FastifyRequest): User {
    const user = auth.users.get(person?.id ?? 0)
    if (!user) throw new ApiError('permission denied')
    return user
  }

  route(app, 'reauthenticationOptions', calls.reauthenticationOptions, (request) =>
    proofs.options(request, ownUser(request)),
  )
  route(app, 'reauthenticate', calls.reauthenticate, bodyReader(calls.reauthenticate), async (request) => {
    const user = ownUser(request)
    await proofs.check(request, user, request.body)
    auth.waf.clearFailures(request.address, user.id, await auth.knownBrowsers.keyOf(request, user.id))
    if (request.session) auth.sessions.recordProof(request.session)
  })
}
