import type { Store } from '../db/store.ts'
import type { ProbeFailure } from '../machines/hosts/probe.ts'

/** A time in which a service was down; times are milliseconds since 1970. */
export interface Outage {
  id: number
  service_id: number
  started_at: number
  /** `null` while it lasts. */
  ended_at: number | null
  /** Why the check failed that decided; empty when the machine said nothing. */
  problem: string
  /** The server whose check decided, by its name on that day. */
  server_name: string
  /** Whether it is muted: nobody has been notified of it so far. */
  silenced: boolean
  /** More about the check that decided, where it was one that says more; else `null`. */
  failure: ProbeFailure | null
}

/** An outage as it begins. */
type BegunOutage = Pick<Outage, 'started_at' | 'problem' | 'server_name'> &
  Partial<Pick<Outage, 'silenced'>> & { failure?: ProbeFailure | undefined }

type SilencedOutage = Pick<Outage, 'problem' | 'server_name'>

/** The outages of all services, kept for a while (docs/decisions/outages.md). */
export interface Outages {
  begin(service: number, outage: BegunOutage): void
  /** The outage of a service that lasts. */
  lasting(service: number): Outage | undefined
  /** Those that last, of all services. */
  allLasting(): Outage[]
  /** Ends the outage of a service that lasts; does nothing without one. */
  end(service: number, at: number): void
  /** Those that last and of which nobody has been notified so far, by the id of their service. */
  readonly silenced: ReadonlyMap<number, SilencedOutage>
  /** To be called when people were notified of the outage of a service. */
  markSent(service: number): void
  /** Latest first. */
  of(service: number): Outage[]
  /** Of all services: those that last, and the latest of the others. @param count how many of the others */
  recent(count: number): Outage[]
  /** Deletes those of services that no longer exist. */
  remove(services: readonly number[]): void
}

/** Of each service; older ones and more are deleted when the next begins. */
export const outageLimits = { count: 200, ageMs: 90 * 86_400_000, problem: 500 } as const

/**
 * @param onFailure called when an outage cannot be saved: on a full disk, checks and notifications go on without it
 * @param retentionNow the time by which outages are too old, where that is before the next one begins
 */
export function openOutages(
  store: Store,
  onFailure: (error: unknown) => void,
  retentionNow = () => Number.POSITIVE_INFINITY,
): Outages {
  const table = store.table<Outage>({
    name: 'outage',
    columns: [
      { name: 'service_id', type: 'INTEGER', indexed: true },
      { name: 'started_at', type: 'INTEGER' },
      { name: 'ended_at', type: 'INTEGER', indexed: true },
      { name: 'problem', type: 'TEXT' },
      { name: 'server_name', type: 'TEXT' },
      { name: 'silenced', type: 'FLAG', initial: false },
      { name: 'failure', type: 'JSON', initial: null },
    ],
  })

  const silenced = new Map<number, SilencedOutage>()
  for (const row of table.find({ ended_at: null, silenced: true })) silenced.set(row.service_id, row)

  function tryWrite(write: () => void): void {
    try {
      store.eventually(write, 'transaction')
    } catch (error) {
      onFailure(error)
    }
  }

  /** More than one only if the end of the one before could not be saved. */
  const endRunning = (service_id: number, at: number) => {
    for (const { id } of table.find({ service_id, ended_at: null })) table.update(id, { ended_at: at })
  }

  return {
    begin(service_id, { started_at, problem, server_name, silenced: isSilenced = false, failure = null }) {
      if (isSilenced) silenced.set(service_id, { problem, server_name })
      tryWrite(() => {
        endRunning(service_id, started_at)
        table.insert({
          service_id,
          started_at,
          ended_at: null,
          server_name,
          silenced: isSilenced,
          failure,
          problem: problem.slice(0, outageLimits.problem),
        })
        const latest = table.latest({ service_id }, 0, outageLimits.count)
        const oldest = Math.min(started_at, retentionNow()) - outageLimits.ageMs
        const tooOld = latest.filter(({ ended_at }) => ended_at !== null && ended_at < oldest)
        const tooMany = table.latest({ service_id }, outageLimits.count, outageLimits.count)
        table.remove([...tooOld, ...tooMany].map(({ id }) => id))
      })
    },
    lasting: (service_id) => table.find({ service_id, ended_at: null })[0],
    allLasting: () => table.find({ ended_at: null }),
    end(service, at) {
      silenced.delete(service)
      tryWrite(() => endRunning(service, at))
    },
    silenced,
    markSent(service_id) {
      silenced.delete(service_id)
      tryWrite(() => {
        for (const { id } of table.find({ service_id, ended_at: null })) table.update(id, { silenced: false })
      })
    },
    recent: (count) => [
      ...table.find({ ended_at: null }),
      ...table.latest({}, 0, count).filter(({ ended_at }) => ended_at !== null),
    ],
    of: (service_id) => table.latest({ service_id }, 0, outageLimits.count),
    remove(services) {
      for (const service of services) silenced.delete(service)
      tryWrite(() => {
        for (const service_id of services) table.remove(table.find({ service_id }).map(({ id }) => id))
      })
    },
  }
}
