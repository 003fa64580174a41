import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import { createMachines, type Machines } from './machines.ts'
import { registerServerOrders } from './orders.ts'
import { createServerAccess, type ServerAccess } from './serverAccess.ts'
import { serverGroupHooks } from './serverGroupHooks.ts'
import { serverHooks } from './serverHooks.ts'
import { createServerTransfers, type ServerTransfers } from './serverTransfers.ts'
import { registerTransfers } from './transferRoutes.ts'
import { registerTransferSocket } from './transferSocket.ts'

declare module 'fastify' {
  interface FastifyInstance {
    machines: Machines
    serverAccess: ServerAccess
    serverTransfers: ServerTransfers
  }
}

interface MachinesOptions {
  store: Store
  /** Default: those in the store, none of which reports. */
  machines?: Machines
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Milliseconds. */
const transferTickMs = 2000

/** The monitored machines: their records, and the orders that they are given. */
export const machinesPlugin = fp(
  async (app: FastifyInstance, { store, now, ...options }: MachinesOptions) => {
    const machines = options.machines ?? createMachines({ store, now })
    app.decorate('machines', machines)
    const access = createServerAccess(store)
    app.decorate('serverAccess', access)
    app.entityHooks.set('server', serverHooks(machines, { access, usernameOf: app.usernameOf }))
    app.entityHooks.set('server-group', serverGroupHooks(access))
    registerServerOrders(app, { store, machines })
    const serverTransfers = createServerTransfers({ store, machines, usernameOf: app.usernameOf, now })
    app.decorate('serverTransfers', serverTransfers)
    registerTransfers(app, store, serverTransfers)
    registerTransferSocket(app, serverTransfers)
    const timer = setInterval(serverTransfers.tick, transferTickMs).unref()
    app.addHook('onClose', async () => clearInterval(timer))
  },
  { name: 'machines', dependencies: ['entity-hooks', 'security'] },
)
