import { server } from '../../src/schemas/server.ts'
import { cachedRow, cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import { isCovered, type ServiceRow } from './serviceRow.ts'

export interface CheckingServer {
  row: Row
  host: Host
  /** Where a round of checks reaches it, from 0 to 1. */
  place: number
}

/** Which servers check a service, and in which order. */
export interface Coverage {
  /** How many servers there are, offline ones included. */
  count(): number
  /** The connected servers that check a service and whose place in a round is above `after` and at most `upTo`. */
  serversBetween(service: ServiceRow, after: number, upTo: number): CheckingServer[]
  /** The highest place of a server, from 0 to 1. */
  lastPlace(): number
  /** The ids of all connected servers that check a service. */
  serverIds(service: ServiceRow): Set<number>
  /** Whether a server still exists and checks a service, connected or not. */
  checks(service: ServiceRow, serverId: number): boolean
}

export function createCoverage(store: Store, machines: Machines, roleOf: (id: number) => number | undefined): Coverage {
  const servers = entityTable(store, server)
  let order = createOrder([])

  function currentOrder(): Order {
    const rows = cachedRows(servers)
    if (order.rows !== rows) order = createOrder(rows)
    return order
  }

  return {
    count: () => cachedRows(servers).length,
    serversBetween(service, after, upTo) {
      const { byPlace, places } = currentOrder()
      const found: CheckingServer[] = []
      for (let index = firstAbove(places, after); index < places.length; index++) {
        const [row, place] = [byPlace[index] as Row, places[index] as number]
        if (place > upTo) break
        const host = isCovered(service, row, roleOf) ? machines.connected(row) : undefined
        if (host) found.push({ row, host, place })
      }
      return found
    },
    lastPlace: () => currentOrder().places.at(-1) ?? 0,
    serverIds(service) {
      const ids = new Set<number>()
      for (const row of cachedRows(servers)) {
        if (isCovered(service, row, roleOf) && machines.connected(row)) ids.add(row.id)
      }
      return ids
    },
    checks(service, serverId) {
      const row = cachedRow(servers, serverId)
      return row !== undefined && isCovered(service, row, roleOf)
    },
  }
}

interface Order {
  /** By id, as they were given. */
  rows: readonly Row[]
  byPlace: Row[]
  /** From 0 to 1, one for each row of `byPlace`. */
  places: number[]
}

/**
 * Spreads servers over a round: the first at 0, the second at 1/2, the next at 1/4 and 3/4, and so on (the van der Corput
 * sequence). A further server does not change the places of the others.
 */
function createOrder(rows: readonly Row[]): Order {
  const bits = rows.length > 1 ? 32 - Math.clz32(rows.length - 1) : 0
  const byPlace: Row[] = []
  const places: number[] = []
  for (let index = 0; index < 2 ** bits; index++) {
    const row = rows[reverseBits(index, bits)]
    if (!row) continue
    byPlace.push(row)
    places.push(index / 2 ** bits)
  }
  return { rows, byPlace, places }
}

function reverseBits(number: number, bits: number): number {
  let reversed = 0
  for (let bit = 0; bit < bits; bit++) if (number & (1 << bit)) reversed |= 1 << (bits - 1 - bit)
  return reversed
}

/** The index of the first number above a value, by binary search. */
function firstAbove(numbers: readonly number[], value: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] as number) > value) high = middle
    else low = middle + 1
  }
  return low
}
