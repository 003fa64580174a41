import type { Samples } from './history/samples.ts'
import type { ServiceRow } from './serviceRow.ts'

/**
 * Adds up how long services are down: from one result that counts to the next. What nobody has measured, as while this
 * server is off or somebody works on the service, is neither up nor down.
 */
export interface Downtime {
  /** @param isDown whether the service is down by this result and those before it @param at milliseconds since 1970 */
  count(service: Pick<ServiceRow, 'id' | 'duration'>, isDown: boolean, at: number): void
  /** What passes until the next result does not count. */
  pause(service: number): void
}

/** The longest time of a check, which can pass beside its interval. Milliseconds. */
const maxCheckMs = 10_000

export function createDowntime({ addDowntime }: Pick<Samples, 'addDowntime'>): Downtime {
  /** Until when the time of a service that is down is counted. */
  const countedUntil = new Map<number, number>()
  return {
    count({ id, duration }, isDown, at) {
      const from = countedUntil.get(id)
      // What was within a longer pause is not known.
      if (from !== undefined && at - from <= 2 * duration * 1000 + maxCheckMs) addDowntime(id, from, at)
      if (isDown) countedUntil.set(id, at)
      else countedUntil.delete(id)
    },
    pause: (service) => void countedUntil.delete(service),
  }
}
