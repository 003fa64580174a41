import { ddns as ddnsEntity } from '../../src/schemas/ddns.ts'
import { server as serverEntity } from '../../src/schemas/server.ts'
import { createSnapshot } from '../db/selector.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { ServerRow } from '../entities/row.ts'
import type { Machines, ReportedAddresses } from '../machines/machines.ts'
import { type DesiredRecord, desiredRecords, type Profile } from './desiredRecords.ts'

/** The desired records of one server. */
interface ServerRecords {
  server: ServerRow
  /** Its reported addresses as one text; `undefined` while it is offline. */
  addresses: string | undefined
  records: DesiredRecord[]
}

interface RecordTrackerOptions {
  store: Store
  machines: Machines
  roleOf: (id: number) => number | undefined
  /** Called for each record of a connected server that is new or changed, or whose server has another address. */
  onChecked(record: DesiredRecord): void
  /** Called with all records after servers or profiles have changed. */
  onReplaced(records: readonly DesiredRecord[]): void
}

/** Keeps the desired records of all servers up to date. */
export interface RecordTracker {
  /** Applies changes of servers, profiles and addresses. */
  refresh(): void
  all(): Iterable<Pick<ServerRecords, 'server' | 'records'>>
  /** Stops listening to reports. */
  stop(): void
}

export function createRecordTracker(options: RecordTrackerOptions): RecordTracker {
  const { store, machines, roleOf, onChecked, onReplaced } = options
  const servers = entityTable(store, serverEntity)
  const profiles = entityTable(store, ddnsEntity)
  const byServer = new Map<number, ServerRecords>()
  /** Servers whose addresses have changed since `refresh`. */
  const movedServers = new Set<number>()
  let profileById = new Map<number, Profile>()
  const snapshot = createSnapshot([servers, profiles])
  let latest: object | undefined

  // Ten thousand machines report every few seconds, so this only compares a text.
  const stop = machines.onReport((id, { facts }) => {
    const existing = byServer.get(id)
    if (existing && existing.addresses !== addressText(facts.geoip.ip)) movedServers.add(id)
  })

  function rebuild(): void {
    profileById = new Map(profiles.all().map((profile) => [profile.id, profile]))
    byServer.clear()
    for (const server of servers.all()) if (server.enable_ddns) checkServer(server)
    onReplaced([...byServer.values()].flatMap(({ records }) => records))
  }

  function checkServer(server: ServerRow): void {
    const addresses = addressesOf(server)
    const records = desiredRecords(server, (id) => profileById.get(id), addresses ?? {}, roleOf)
    byServer.set(server.id, { server, addresses: addresses && addressText(addresses), records })
    if (addresses) for (const record of records) onChecked(record)
  }

  /** The addresses in the last report of a connected machine. */
  const addressesOf = (server: ServerRow): ReportedAddresses | undefined =>
    machines.connected(server) && machines.wireReport(server).geoip.ip

  return {
    stop,
    all: () => byServer.values(),
    refresh() {
      const current = snapshot()
      if (current !== latest) rebuild()
      latest = current
      for (const id of movedServers) {
        const server = byServer.get(id)?.server
        if (server) checkServer(server)
      }
      movedServers.clear()
    },
  }
}

const addressText = ({ ipv4_addr = '', ipv6_addr = '' }: ReportedAddresses) => `${ipv4_addr} ${ipv6_addr}`
