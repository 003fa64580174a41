import type { FastifyInstance } from 'fastify'
import type { Store } from './db/store.ts'
import type { Log } from './log.ts'
import type { Machines } from './machines.ts'
import { watchAddresses } from './notices/addressChanges.ts'
import { type Deliveries, openDeliveries } from './notices/deliveries.ts'
import { createNotices, type Notices } from './notices/notices.ts'
import type { MayReachInside } from './outbound/reach.ts'

interface WatchServices {
  store: Store
  machines: Machines
  mayReachInside: MayReachInside
  log: Log
  /** Milliseconds since 1970. */
  now: () => number
}

export interface Watching {
  notices: Notices
  deliveries: Deliveries
}

/** What watches and tells by itself, while the server runs: it starts and ends with `app`. */
export function watch(app: FastifyInstance, services: WatchServices): Watching {
  const { store, now, log } = services
  const deliveries = openDeliveries({
    store,
    now,
    onFailure: (error) => log.error('Deliveries cannot be written down:', error),
  })
  const notices = createNotices({ ...services, deliveries })
  // The first to be registered is the last to end: what the others say at their end is still taken.
  app.addHook('onClose', () => notices.stop())
  const addresses = watchAddresses({ ...services, notices })
  app.addHook('onReady', async () => addresses.start())
  app.addHook('onClose', async () => addresses.stop())
  return { notices, deliveries }
}
