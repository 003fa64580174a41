import { roles } from '../../src/schemas/define/access.ts'
import { server } from '../../src/schemas/server.ts'
import { createTimeHeap } from '../concurrency/timeHeap.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import type { Host } from '../machines/hosts/host.ts'
import type { Machines } from '../machines/machines.ts'
import { mayAct } from '../person.ts'
import { holdsSecrets, isCovered, type ServiceRow } from './serviceRow.ts'

/** Spreads the checks of a service on its servers over its interval, so that its target is not called by all at once. */
export interface Rounds {
  /**
   * Starts a round; while the one before has not reached all servers, as when there is more to do than can be done, the
   * new one follows on it.
   * @param servers by their places, from 0 to 1
   * @param at the planned time in milliseconds since 1970
   * @param isFirst whether the service is new: then the round is quick
   */
  start(service: ServiceRow, servers: readonly CheckingServer[], at: number, isFirst: boolean): void
  /**
   * Checks services on the servers that their rounds have reached, whoever has waited longest first.
   * @param most how many checks; the others come with the next call
   * @returns how many
   */
  continueAll(now: number, most: number): number
}

export interface RoundsOptions {
  coverage: Pick<Coverage, 'count' | 'checks'>
  /** The service as it is now; `undefined` when it was deleted. */
  serviceOf: (id: number) => ServiceRow | undefined
  /** @param at the planned time in milliseconds since 1970 */
  check: (service: ServiceRow, server: CheckingServer, at: number) => void
}

interface Round {
  service: number
  servers: readonly CheckingServer[]
  /** The index of the next of them. */
  next: number
  /** Milliseconds since 1970. */
  startedAt: number
  /** Milliseconds until the last server is reached. */
  spanMs: number
  /** When the next server is reached. */
  at: number
  following: Round | undefined
}

/** In the first round of a new service, thousands of servers do not call its target at once either. */
const firstRoundMsPerServer = 10
/** The part of the interval in which a round reaches all servers. The rest is for the jitter of the timetable. */
const roundShare = 0.9
/** Milliseconds: a round begins on time within a second. */
const onTimeMs = 1000

export function createRounds({ coverage, serviceOf, check }: RoundsOptions): Rounds {
  /** Those that have not reached all servers, by service. */
  const rounds = new Map<number, Round>()
  /** The same, and those that were replaced, until their time comes. */
  const heap = createTimeHeap<Round>()

  function reach(round: Round): void {
    const server = round.servers[round.next]
    round.at = server ? round.startedAt + server.place * round.spanMs : Number.POSITIVE_INFINITY
  }

  function begin(round: Round): void {
    rounds.set(round.service, round)
    reach(round)
    heap.add(round)
  }

  /** After the last server of a round. */
  function end({ service, following }: Round, now: number): void {
    rounds.delete(service)
    heap.removeFirst()
    if (!following || following.servers.length === 0) return
    // A late one begins now, or its target would be called by all at once.
    const isLate = now - following.startedAt > onTimeMs
    begin({ ...following, ...(isLate && { startedAt: now }) })
  }

  function checkNext(service: ServiceRow, round: Round): boolean {
    const server = round.servers[round.next] as CheckingServer
    const { at } = round
    round.next++
    reach(round)
    // It may have been deleted, moved or taken off the list since.
    if (!coverage.checks(service, server.row.id)) return false
    check(service, server, at)
    return true
  }

  return {
    start(service, servers, at, isFirst) {
      const firstSpanMs = isFirst ? coverage.count() * firstRoundMsPerServer : Number.POSITIVE_INFINITY
      const spanMs = Math.max(1, Math.min(firstSpanMs, Math.max(1, service.duration) * 1000 * roundShare))
      const round: Round = { service: service.id, servers, next: 0, startedAt: at, spanMs, at, following: undefined }
      const previous = rounds.get(service.id)
      // After a sleep of the machine, to go on with the one before would be a burst.
      if (previous && at - previous.startedAt < 2 * previous.spanMs) previous.following = round
      else if (servers.length > 0) begin(round)
    },
    continueAll(now, most) {
      let count = 0
      for (let round = heap.first(); round && count < most; round = heap.first()) {
        const isReplaced = rounds.get(round.service) !== round
        const service = isReplaced ? undefined : serviceOf(round.service)
        if (isReplaced) heap.removeFirst()
        else if (!service) end({ ...round, following: undefined }, now)
        else if (round.at > now) break
        else {
          if (checkNext(service, round)) count++
          if (round.next < round.servers.length) heap.firstMoved()
          else end(round, now)
        }
      }
      return count
    },
  }
}

export interface CheckingServer {
  row: ServerRow
  host: Host
  /** Where a round of checks reaches it, from 0 to 1. */
  place: number
}

/** Which servers check a service, and in which order. */
interface Coverage {
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
