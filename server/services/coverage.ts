import { server } from '../../src/schemas/server.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import { isCovered, type ServiceRow } from './serviceRow.ts'

export interface CheckingServer {
  row: Row
  host: Host
}

/** Which servers check a service. */
export interface Coverage {
  serversFor(service: ServiceRow, now: number): CheckingServer[]
}

/** Scanning ten thousand servers for each of a hundred checks a second would be too much. */
const cacheMs = 1000

export function createCoverage(store: Store, machines: Machines, roleOf: (id: number) => number | undefined): Coverage {
  const servers = entityTable(store, server)
  let connectedServers: CheckingServer[] = []
  let refreshedAt = Number.NEGATIVE_INFINITY
  let version = -1

  function connected(now: number): CheckingServer[] {
    if (Math.abs(now - refreshedAt) < cacheMs && version === servers.version()) return connectedServers
    refreshedAt = now
    version = servers.version()
    connectedServers = cachedRows(servers).flatMap((row) => {
      const host = machines.connected(row)
      return host ? [{ row, host }] : []
    })
    return connectedServers
  }

  return { serversFor: (service, now) => connected(now).filter(({ row }) => isCovered(service, row, roleOf)) }
}
