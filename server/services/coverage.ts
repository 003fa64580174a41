import { roles } from '../../src/schemas/define/access.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { ServerRow } from '../entities/row.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import { mayAct } from '../person.ts'
import { holdsSecrets, isCovered, type ServiceRow } from './serviceRow.ts'

export interface CheckingServer {
  row: ServerRow
  host: Host
  /** Where a round of checks reaches it, from 0 to 1. */
  place: number
}

/** Which servers check a service, and in which order. */
export interface Coverage {
  /** How many servers there are, offline ones included. */
  count(): number
  /**
   * The connected servers that check a service, by their places in a round. It costs as much as there are of them, however
   * many others there are: whoever connects or leaves is noticed within a second.
   */
  serversOf(service: ServiceRow): readonly CheckingServer[]
  /** How many servers check a service at the most: without a look at each. */
  mostOf(service: ServiceRow): number
  /** Whether a server still exists and checks a service, connected or not. */
  checks(service: ServiceRow, serverId: number): boolean
}

/** Milliseconds after which the list of connected servers is made again. */
const listedMs = 1000

/** The connected servers at some time, by their places in a round. */
interface Connected {
  /** Milliseconds since 1970. */
  at: number
  all: readonly CheckingServer[]
  byOwner: ReadonlyMap<number, readonly CheckingServer[]>
  byId: ReadonlyMap<number, CheckingServer>
}

interface CoverageServices {
  store: Store
  machines: Machines
  roleOf: (id: number) => number | undefined
  /** Milliseconds since 1970. */
  now: () => number
}

export function createCoverage({ store, machines, roleOf, now }: CoverageServices): Coverage {
  const servers = entityTable(store, server)
  const listedIds = new WeakMap<ServiceRow, readonly number[]>()
  let order = createOrder([])
  let connected: Connected | undefined

  function currentOrder(): Order {
    const rows = servers.all()
    if (order.rows !== rows) order = createOrder(rows)
    return order
  }

  function currentlyConnected(): Connected {
    const at = now()
    const before = order
    const { byPlace, places } = currentOrder()
    if (connected && order === before && Math.abs(at - connected.at) < listedMs) return connected
    const all: CheckingServer[] = []
    for (const [index, row] of byPlace.entries()) {
      const host = machines.connected(row)
      if (host) all.push({ row, host, place: places[index] as number })
    }
    connected = {
      at,
      all,
      byOwner: Map.groupBy(all, ({ row }) => row.user_id),
      byId: new Map(all.map((one) => [one.row.id, one])),
    }
    return connected
  }

  function idsListedIn(service: ServiceRow): readonly number[] {
    const known = listedIds.get(service)
    if (known) return known
    const ids = Object.entries(service.skip_servers ?? {}).flatMap(([id, isListed]) => (isListed ? [Number(id)] : []))
    listedIds.set(service, ids)
    return ids
  }

  return {
    count: () => servers.all().length,
    serversOf(service) {
      if (!mayAct(service.user_id, roleOf)) return []
      const { all, byOwner, byId } = currentlyConnected()
      const ids = idsListedIn(service)
      if (service.cover !== 0) {
        return ids
          .flatMap((id) => byId.get(id) ?? [])
          .filter(({ row }) => isCovered(service, row, roleOf))
          .sort((one, other) => one.place - other.place)
      }
      const own = roleOf(service.user_id) === roles.admin ? all : (byOwner.get(service.user_id) ?? [])
      // The list itself where there are no exceptions: thousands of services may share it.
      return ids.length === 0 && !holdsSecrets(service) ? own : own.filter(({ row }) => isCovered(service, row, roleOf))
    },
    mostOf: (service) => (service.cover === 0 ? currentlyConnected().all : idsListedIn(service)).length,
    checks(service, serverId) {
      const row = servers.get(serverId)
      return row !== undefined && isCovered(service, row, roleOf)
    },
  }
}

interface Order {
  /** By id, as they were given. */
  rows: readonly ServerRow[]
  byPlace: ServerRow[]
  /** From 0 to 1, one for each row of `byPlace`. */
  places: number[]
}

/**
 * Spreads servers over a round: the first at 0, the second at 1/2, the next at 1/4 and 3/4, and so on (the van der Corput
 * sequence). A further server does not change the places of the others.
 */
function createOrder(rows: readonly ServerRow[]): Order {
  const bits = rows.length > 1 ? 32 - Math.clz32(rows.length - 1) : 0
  const byPlace: ServerRow[] = []
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
