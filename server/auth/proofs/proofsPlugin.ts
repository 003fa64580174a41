import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { secondFactorEndpoints as calls } from '../../../src/schemas/endpoints/secondFactorEndpoints.ts'
import { addAuditDetails, route } from '../../http/routes/route.ts'
import type { Settings } from '../../settings.ts'
import { ApiError } from '../../wire/apiError.ts'
import { bodyReader } from '../../wire/readJson.ts'
import type { Auth } from '../auth.ts'
import type { User } from '../users/users.ts'
import { registerOwnFactor } from './ownFactorRoutes.ts'
import { createProofs, type Proofs } from './proofs.ts'
import { registerSecondFactorSignIn } from './secondFactorSignIn.ts'
import { createSignIns, type SignIns } from './signIns.ts'

declare module 'fastify' {
  interface FastifyInstance {
    signIns: SignIns
  }
}

interface ProofsOptions {
  settings: Pick<Settings, 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** Called after every successful sign-in. */
  onSignIn(userId: number): void
}

/** Second factors: how people set them up, sign in with them, and are asked again (docs/decisions/second-factor.md). */
export const proofsPlugin = fp(
  async (app: FastifyInstance, { settings: { publicUrl }, now, onSignIn }: ProofsOptions) => {
    const { auth, audit } = app
    const signIns = createSignIns({ auth, audit, onSignIn, now })
    const proofs = createProofs({ auth, audit, publicUrl, now })
    app.decorate('signIns', signIns)
    registerSecondFactorSignIn(app, { proofs, signIns })
    registerReauthentication(app, { auth, proofs })
    registerOwnFactor(app, { auth, publicUrl, now })
    route(
      app,
      { name: 'resetSecondFactor', audit: 'user.reset-second-factor' },
      endpoints.resetSecondFactor,
      (request) => {
        const { id } = request.params
        if (!auth.users.get(id)) throw new ApiError(`user id ${id} does not exist`)
        auth.administrators.checkStaysOne({ passkeys: id })
        addAuditDetails(request, { target: `user ${id}` })
        auth.store.urgently(() => {
          auth.secondFactor.remove(id)
          // Who has the lost device may have one of its sessions.
          auth.sessions.revokeAll(id)
        })
        app.onlineUsers.disconnect(({ person }) => person?.id === id)
      },
    )
  },
  { name: 'proofs', dependencies: ['security', 'audit'] },
)

/** How a signed-in person proves again who they are. */
function registerReauthentication(app: FastifyInstance, { auth, proofs }: { auth: Auth; proofs: Proofs }): void {
  function ownUser({ person }: FastifyRequest): User {
    const user = auth.users.get(person?.id ?? 0)
    if (!user) throw new ApiError('permission denied')
    return user
  }

  route(app, 'reauthenticationOptions', calls.reauthenticationOptions, (request) =>
    proofs.options(request, ownUser(request)),
  )
  route(
    app,
    { name: 'reauthenticate', audit: 'session.reauthenticate' },
    calls.reauthenticate,
    bodyReader(calls.reauthenticate),
    async (request) => {
      const user = ownUser(request)
      await proofs.check(request, user, request.body)
      auth.waf.clearFailures(request.address, user.id, await auth.knownBrowsers.keyOf(request, user.id))
      if (request.session) auth.sessions.recordProof(request.session)
    },
  )
}
