import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import type { Settings } from '../settings.ts'
import { ownHostsOf } from './hostName.ts'
import { createNat, type NatServices } from './nat.ts'
import { natHooks } from './natHooks.ts'
import { wantsTunnel } from './openTunnel.ts'

export type NatLimits = Pick<NatServices, 'times' | 'limits'>

interface NatOptions {
  store: Store
  settings: Pick<Settings, 'host' | 'publicUrl'>
  /** How long and how many forwarded requests may take. */
  nat?: NatLimits
}

/** Host names that lead to services behind monitored machines: their requests never reach the app. */
export const natPlugin = fp(
  async (app: FastifyInstance, { store, settings, nat: limits }: NatOptions) => {
    const { users, waf } = app.auth
    const nat = createNat({ store, machines: app.machines, users, waf, settings, ...limits })
    app.entityHooks.set('nat', natHooks(ownHostsOf(settings)))
    app.dispatch.forward(app, { ...nat, isUpgrade: wantsTunnel })
    app.addHook('preClose', async () => nat.stop())
  },
  // After `http`: the sockets that are registered there are then behind the names that are forwarded.
  { name: 'nat', dependencies: ['entity-hooks', 'http', 'machines'] },
)
