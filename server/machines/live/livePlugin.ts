import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../../db/store.ts'
import type { Log } from '../../log.ts'
import { registerServerChanges } from './changesSocket.ts'
import { type LiveServices, registerLive } from './liveSocket.ts'

interface LiveOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** Milliseconds between two frames. Default: 2000. */
  tickMs?: number
}

/** The live streams of all machines: every one with each frame, and what has changed. */
export const livePlugin = fp(
  async (app: FastifyInstance, { store, log, tickMs }: LiveOptions) => {
    const services: LiveServices = {
      store,
      log,
      tickMs,
      machines: app.machines,
      access: app.serverAccess,
      guard: app.guard,
      online: app.onlineUsers,
      addressOf: (request) => request.address,
      isAlive: app.auth.isAlive,
    }
    registerLive(app, services)
    registerServerChanges(app, services)
  },
  { name: 'live', dependencies: ['machines'] },
)
