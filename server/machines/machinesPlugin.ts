import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
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
  log: Pick<Log, 'error'>
  /** Default: those in the store, none of which reports. */
  machines?: Machines
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Milliseconds. */
const transferTickMs = 2000

/** The monitored machines: their records, and the orders that they are given. */
export const machinesPlugin = fp(
  async (app: FastifyInstance, { store, log, now, ...options }: MachinesOptions) => {
    const machines = options.machines ?? createMachines({ store, now })
    app.decorate('machines', machines)
    const access = createServerAccess(store)
    app.decorate('serverAccess', access)
    app.entityHooks.set('server', serverHooks(machines, { access, usernameOf: app.usernameOf }))
    app.entityHooks.set('server-group', serverGroupHooks(access))
    registerServerOrders(app, { store, machines })
    const serverTransfers = createServerTransfers({
      store,
      machines,
      usernameOf: app.usernameOf,
      roleOf: app.roleOf,
      now,
    })
    app.decorate('serverTransfers', serverTransfers)
    registerTransfers(app, store, serverTransfers)
    registerTransferSocket(app, serverTransfers, log)
    const transferChecks = repeat(serverTransfers.tick, {
      intervalMs: transferTickMs,
      log,
      failure: 'Moves of servers could not be checked:',
    })
    transferChecks.start()
    app.addHook('onClose', async () => transferChecks.stop())
  },
  { name: 'machines', dependencies: ['entity-hooks', 'security'] },
)
