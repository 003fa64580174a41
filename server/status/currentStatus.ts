import { maintenanceWindow } from '../../src/schemas/maintenanceWindow.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { service } from '../../src/schemas/service.ts'
import type { PublicStatus } from '../../src/schemas/status/publicStatus.ts'
import { createSnapshot } from '../db/selector.ts'
import { entityTable } from '../entities/entityTable.ts'
import { readSite, type Site } from '../site/site.ts'
import { readStatus } from './readStatus.ts'
import type { StatusSources } from './statusSources.ts'

/** The status at one moment, the same for everybody. */
export interface Snapshot {
  status: PublicStatus
  /** Each member of the status as JSON. */
  members: ReadonlyMap<string, string>
}

/** The public status, read at most once a second for all visitors together. */
export interface CurrentStatus {
  read(): Promise<Snapshot>
}

/** Milliseconds. What somebody changes or hides counts at once. */
const freshMs = 1000

export function createCurrentStatus(sources: StatusSources): CurrentStatus {
  const { store } = sources
  const entities = [server, serverGroup, service, maintenanceWindow]
  const recordsNow = createSnapshot(entities.map((entity) => entityTable(store, entity)))
  let latest: { records: object; site: Site; at: number; snapshot: Promise<Snapshot> } | undefined

  return {
    read() {
      const records = recordsNow()
      const site = readSite(store)
      const at = performance.now()
      const isCurrent = latest?.records === records && latest.site === site
      if (latest && isCurrent && at - latest.at < freshMs) return latest.snapshot
      const snapshot = readStatus(sources).then(snapshotOf)
      latest = { records, site, at, snapshot }
      // One that failed is not given to the next visitor.
      snapshot.catch(() => {
        latest = undefined
      })
      return snapshot
    },
  }
}

const snapshotOf = (status: PublicStatus): Snapshot => ({
  status,
  members: new Map(Object.entries(status).map(([name, value]) => [name, JSON.stringify(value)])),
})

/**
 * A frame as JSON: the members that have changed, and the time.
 * @param before what its receivers have; left out when they have nothing yet
 */
export function frameOf({ members }: Snapshot, before?: Snapshot): string {
  const changed = [...members].filter(([name, json]) => name === 'now' || before?.members.get(name) !== json)
  return `{${changed.map(([name, json]) => `"${name}":${json}`).join(',')}}`
}
