import { server } from '../../src/schemas/server.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import { isCovered, type ServiceRow } from './serviceRow.ts'

export interface Checker {
  row: Row
  host: Host
}

/** Which servers check a service at this moment. */
export interface Covering {
  of(service: ServiceRow, now: number): Checker[]
}

/** Looking at ten thousand servers for each of a hundred checks a second would be too much. */
const freshMs = 1000

export function createCovering(store: Store, machines: Machines, roleOf: (id: number) => number | undefined): Covering {
  const servers = entityTable(store, server)
  let checkers: Checker[] = []
  let lookedAt = Number.NEGATIVE_INFINITY
  let version = -1

  function connected(now: number): Checker[] {
    if (Math.abs(now - lookedAt) < freshMs && version === servers.version()) return checkers
    lookedAt = now
    version = servers.version()
    checkers = cachedRows(servers).flatMap((row) => {
      const host = machines.connected(row)
      return host ? [{ row, host }] : []
    })
    return checkers
  }

  return { of: (service, now) => connected(now).filter(({ row }) => isCovered(service, row, roleOf)) }
}
