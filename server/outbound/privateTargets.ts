import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { roles } from '../../src/schemas/define/access.ts'
import type { Settings } from '../settings.ts'

interface Options {
  /** A user's role; `undefined` when there is no such user any more. */
  roleOf: (id: number) => number | undefined
  /** Whether members may use private targets too. */
  allowPrivateTargets?: boolean
}

/**
 * Whether records of this owner may have targets in private networks or on this machine. Administrators have a shell
 * here anyway; members only with ALLOW_PRIVATE_TARGETS, also for records that have an administrator now
 * (`OwnedRecords`).
 */
export type MayCallPrivateTargets = (record: { user_id: number; has_member_rights?: unknown }) => boolean

const createPrivateTargetPolicy =
  ({ roleOf, allowPrivateTargets = false }: Options): MayCallPrivateTargets =>
  ({ user_id, has_member_rights }) =>
    allowPrivateTargets || (roleOf(user_id) === roles.admin && !has_member_rights)

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
