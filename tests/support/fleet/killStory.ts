import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import type { Story } from './simulatedFleet.ts'

/** One start of a console that is killed. Seconds are those of the story. */
export interface FleetLife {
  /** The database: a file, or PostgreSQL, where the console leads a cluster of its own. */
  database: string | PostgresPlace
  receiver: string
  /** The code of `messages` of the notifier group. */
  messages: number
  from: number
  /** From then on nothing more goes wrong. Default: never. */
  quietFrom?: number
  /** When the story is over. Default: it goes on until the process is killed. */
  until?: number
}

export const beginning = Date.parse('2026-11-21T12:00:00Z')

const services = 120
/** At once, and again: more than one message can be lost or told twice. */
const escalation = [0, 1, 2]
/** How many messages of the plan there are while a service is down. */
export const escalationsOfOutage = escalation.length
const periodSeconds = 2400
const downSeconds = 300

/** When a service is down next: each once in a period, one after the other. @returns the second of its beginning */
const windowOf = (service: number, second: number) => {
  const offset = (service * periodSeconds) / services
  return Math.floor((second - offset) / periodSeconds) * periodSeconds + offset
}

/** Services that stand on nothing in common fail and recover, each by itself. */
export const killStory = (quietFrom: number): Story => ({
  servers: 1,
  services: Array.from({ length: services }, () => ({ from: 0 })),
  escalation,
  isOnline: () => true,
  answers(service, second) {
    const start = windowOf(service, second)
    return start < 0 || start >= quietFrom || second >= start + downSeconds
  },
})

/** How often each service was down. */
export const outagesUntil = (quietFrom: number): number[] =>
  Array.from({ length: services }, (_, service) => {
    const first = (service * periodSeconds) / services
    return Math.max(0, Math.ceil((quietFrom - first) / periodSeconds))
  })

/** Seconds after which all is over that began before. */
export const settledSeconds = downSeconds + 600
