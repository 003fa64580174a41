import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import { type Availability, createAvailability } from './availability.ts'
import { createIncidents, type Incidents } from './incidents.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What services were like in the last days; it does not know who may see them. */
    availability: Availability
    /** What was down in the last days, of what guests may see. */
    incidents: Incidents
  }
}

interface StatusOptions {
  store: Store
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** What visitors without an account see of services and servers. */
export const statusPlugin = fp(
  async (app: FastifyInstance, { store, now }: StatusOptions) => {
    const { samples, checker } = app.services
    app.decorate('availability', createAvailability(samples, now))
    const { recentOutages } = checker
    app.decorate('incidents', createIncidents({ store, recentOutages, allAlarms: app.alerts.allAlarms, now }))
  },
  { name: 'status', dependencies: ['security', 'services', 'alerts'] },
)
