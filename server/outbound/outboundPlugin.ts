import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Settings } from '../settings.ts'
import { createPrivateTargetPolicy, type MayCallPrivateTargets } from './privateTargets.ts'

declare module 'fastify' {
  interface FastifyInstance {
    mayCallPrivateTargets: MayCallPrivateTargets
  }
}

interface OutboundOptions {
  settings: Pick<Settings, 'allowPrivateTargets'>
}

/** Which targets the requests of this server may have. */
export const outboundPlugin = fp(
  async (app: FastifyInstance, { settings }: OutboundOptions) => {
    const { allowPrivateTargets } = settings
    app.decorate('mayCallPrivateTargets', createPrivateTargetPolicy({ roleOf: app.roleOf, allowPrivateTargets }))
  },
  { name: 'outbound', dependencies: ['auth'] },
)
