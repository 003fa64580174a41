import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { addAuditDetails } from '../../http/routes/auditAction.ts'
import { route } from '../../http/routes/route.ts'
import type { Settings } from '../../settings.ts'
import { ApiError } from '../../wire/apiError.ts'
import { registerOwnFactor } from './ownFactorRoutes.ts'
import { createProofs } from './proofs.ts'
import { registerReauthentication } from './reauthenticationRoutes.ts'
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
    route(app, 'resetSecondFactor', endpoints.resetSecondFactor, (request) => {
      const { id } = request.params
      if (!auth.users.get(id)) throw new ApiError(`user id ${id} does not exist`)
      addAuditDetails(request, { target: `user ${id}` })
      auth.store.urgently(() => {
        auth.secondFactor.remove(id)
        // Who has the lost device may have one of its sessions.
        auth.sessions.revokeAll(id)
      })
      app.onlineUsers.disconnect(({ person }) => person?.id === id)
    })
  },
  { name: 'proofs', dependencies: ['security', 'audit'] },
)
