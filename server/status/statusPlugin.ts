import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import type { Settings } from '../settings.ts'
import { registerBadges } from './badgeRoutes.ts'
import { registerFeed } from './feedRoute.ts'
import { type Availability, createAvailability } from './history/availability.ts'
import { createIncidents, type Incidents } from './history/incidents.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What services were like in the last days; it does not know who may see them. */
    availability: Availability
    /** What was down in the last days, of what guests may see. */
    visitorIncidents: Incidents
  }
}

interface StatusOptions {
  store: Store
  settings: Pick<Settings, 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** What visitors without an account see of services and servers. */
export const statusPlugin = fp(
  async (app: FastifyInstance, { store, settings: { publicUrl }, now }: StatusOptions) => {
    const { samples, checker } = app.services
    app.decorate('availability', createAvailability(samples, now))
    const { recentOutages } = checker
    const incidents = createIncidents({ store, recentOutages, allAlarms: app.alerts.allAlarms, now })
    app.decorate('visitorIncidents', incidents)
    registerFeed(app, { store, incidents, publicUrl, now })
    registerBadges(app, store)
  },
  { name: 'status', dependencies: ['security', 'machines', 'maintenance', 'services', 'alerts'] },
)
