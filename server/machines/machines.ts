import { zeroTime } from '../../src/schemas/define/wireNames.ts'
import { server } from '../../src/schemas/server.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import { timestamp } from '../wire/timestamp.ts'
import { withoutEmpty } from '../wire/withoutEmpty.ts'
import type { Host, HostReport } from './hosts/host.ts'
import { randomName } from './randomName.ts'

/** A machine's last report, as `GET /server` shows it (docs/contract/CONTRACT.md#54-servers). */
export interface WireReport {
  host: object
  state: object
  geoip: { ip: object; country_code?: string }
  /** The zero time when the machine is offline. */
  last_active: string
}

/** The monitored machines: their rows in the store, and their last reports in memory. */
export interface Machines {
  /** Subscribes to a machine and starts its reports. The first report finds or creates its row. */
  add(host: Host): void
  /** Ends all reports; the machines are offline then. */
  stop(): Promise<void>
  /** The machine of a row while it is online. */
  connected(row: Row): Host | undefined
  /** The last report of a row's machine. */
  wireReport(row: Row): WireReport
  /** Calls `listener` with every report and the id of the machine's row, until the returned function is called. */
  onReport(listener: (id: number, report: HostReport) => void): () => void
  /** The rows were deleted. A machine that goes on reporting gets a new row. */
  forget(ids: readonly number[]): void
}

export interface MachinesOptions {
  store: Store
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Three missed reports, so that a busy machine does not count as offline. */
const offlineAfterMs = 6000

interface LastReport {
  source: Host
  host: object
  state: object
  geoip: WireReport['geoip']
  at: number
}

export function createMachines({ store, now = Date.now }: MachinesOptions): Machines {
  const rows = entityTable(store, server)
  const lastReports = new Map<number, LastReport>()
  const idByUuid = new Map<string, number>()
  const listeners = new Set<(id: number, report: HostReport) => void>()
  const hosts: { host: Host; unsubscribe: () => void }[] = []

  function idOf(uuid: string, host: Host): number {
    const knownId = idByUuid.get(uuid)
    if (knownId !== undefined) return knownId
    // From the cache: after a start all machines report at once.
    const id = cachedRows(rows).find((row) => row.uuid === uuid)?.id ?? register(uuid, host)
    idByUuid.set(uuid, id)
    return id
  }

  /** A new machine has no owner: only admins see it. */
  function register(uuid: string, host: Host): number {
    const at = timestamp()
    return rows.insert({ uuid, name: host.name() || randomName(), user_id: 0, created_at: at, updated_at: at })
  }

  function listen(host: Host): () => void {
    return host.onReport((report: HostReport) => {
      const { facts, state, at } = report
      const id = idOf(facts.uuid, host)
      lastReports.set(id, {
        source: host,
        host: withoutEmpty(facts.host),
        state: withoutEmpty(state),
        geoip: { ...withoutEmpty(facts.geoip), ip: withoutEmpty(facts.geoip.ip) },
        at: at.getTime(),
      })
      for (const listener of listeners) listener(id, report)
    })
  }

  const isOnline = (lastReport: LastReport | undefined): lastReport is LastReport =>
    lastReport !== undefined && now() - lastReport.at <= offlineAfterMs

  return {
    add(host) {
      hosts.push({ host, unsubscribe: listen(host) })
      host.start()
    },
    async stop() {
      for (const { unsubscribe } of hosts) unsubscribe()
      await Promise.all(hosts.splice(0).map(({ host }) => host.stop()))
      for (const lastReport of lastReports.values()) lastReport.at = Number.NEGATIVE_INFINITY
    },
    connected(row) {
      const lastReport = lastReports.get(row.id)
      return isOnline(lastReport) ? lastReport.source : undefined
    },
    wireReport(row) {
      const lastReport = lastReports.get(row.id)
      return {
        host: lastReport?.host ?? (row.host as object | null) ?? {},
        state: lastReport?.state ?? (row.state as object | null) ?? {},
        geoip: lastReport?.geoip ?? (row.geoip as WireReport['geoip'] | null) ?? { ip: {} },
        // Computed on demand: most callers read all machines every few seconds and do not need it.
        get last_active() {
          return isOnline(lastReport) ? timestamp(lastReport.at) : zeroTime
        },
      }
    },
    onReport(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    forget(ids) {
      const deletedIds = new Set(ids)
      for (const id of ids) lastReports.delete(id)
      for (const [uuid, id] of idByUuid) if (deletedIds.has(id)) idByUuid.delete(uuid)
    },
  }
}
