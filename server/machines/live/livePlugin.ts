import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../../db/store.ts'
import type { Log } from '../../log.ts'
import { registerLive } from './liveSocket.ts'

interface LiveOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** Milliseconds between two frames. Default: 2000. */
  tickMs?: number
}

/** The live stream of all machines. */
export const livePlugin = fp(
  async (app: FastifyInstance, { store, log, tickMs }: LiveOptions) => {
    registerLive(app, {
      store,
      log,
      tickMs,
      machines: app.machines,
      access: app.serverAccess,
      guard: app.guard,
      online: app.onlineUsers,
      addressOf: (request) => request.address,
      isAlive: app.auth.isAlive,
    })
  },
  { name: 'live', dependencies: ['machines'] },
)
