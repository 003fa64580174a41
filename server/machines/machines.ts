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

/** What a machine told, as `GET /server` shows it (docs/contract/CONTRACT.md#54-servers). */
export interface WireReport {
  host: object
  state: object
  geoip: { ip: object; country_code?: string }
  /** The zero time when the machine is offline. */
  last_active: string
}

/** The monitored machines: their rows in the store, and what they told lately, in memory. */
export interface Machines {
  /** Listens to a machine and starts its reports. Its first report finds or makes its row. */
  add(host: Host): void
  /** Ends all reports; the machines are offline then. */
  stop(): Promise<void>
  /** The machine of a row while it is online. */
  connected(row: Row): Host | undefined
  /** What the machine of a row told last. */
  wireReport(row: Row): WireReport
  /** Calls `listener` with every report and the id of the machine's row, until the returned function is called. */
  onReport(listener: (id: number, report: HostReport) => void): () => void
  /** The rows are gone. A machine that goes on reporting gets a new row. */
  forget(ids: readonly number[]): void
}

export interface MachinesOptions {
  store: Store
  /** Milliseconds since 1970. */
  now?: () => number
}

/** Three missed reports: a machine that was only busy is not taken for lost. */
const silenceMs = 6000

interface Heard {
  from: Host
  host: object
  state: object
  geoip: WireReport['geoip']
  at: number
}

export function createMachines({ store, now = Date.now }: MachinesOptions): Machines {
  const rows = entityTable(store, server)
  const heard = new Map<number, Heard>()
  const idByUuid = new Map<string, number>()
  const listeners = new Set<(id: number, report: HostReport) => void>()
  const hosts: { host: Host; unsubscribe: () => void }[] = []

  function idOf(uuid: string, host: Host): number {
    const known = idByUuid.get(uuid)
    if (known !== undefined) return known
    // From memory: after a start, all machines come at once.
    const id = cachedRows(rows).find((row) => row.uuid === uuid)?.id ?? register(uuid, host)
    idByUuid.set(uuid, id)
    return id
  }

  /** A new machine is nobody's: only admins see it. */
  function register(uuid: string, host: Host): number {
    const at = timestamp()
    return rows.insert({ uuid, name: host.name() || randomName(), user_id: 0, created_at: at, updated_at: at })
  }

  function listen(host: Host): () => void {
    return host.onReport((report: HostReport) => {
      const { facts, state, at } = report
      const id = idOf(facts.uuid, host)
      heard.set(id, {
        from: host,
        host: withoutEmpty(facts.host),
        state: withoutEmpty(state),
        geoip: { ...withoutEmpty(facts.geoip), ip: withoutEmpty(facts.geoip.ip) },
        at: at.getTime(),
      })
      for (const listener of listeners) listener(id, report)
    })
  }

  const isOnline = (told: Heard | undefined): told is Heard => told !== undefined && now() - told.at <= silenceMs

  return {
    add(host) {
      hosts.push({ host, unsubscribe: listen(host) })
      host.start()
    },
    async stop() {
      for (const { unsubscribe } of hosts) unsubscribe()
      await Promise.all(hosts.splice(0).map(({ host }) => host.stop()))
      for (const told of heard.values()) told.at = Number.NEGATIVE_INFINITY
    },
    connected(row) {
      const told = heard.get(row.id)
      return isOnline(told) ? told.from : undefined
    },
    wireReport(row) {
      const told = heard.get(row.id)
      return {
        host: told?.host ?? (row.host as object | null) ?? {},
        state: told?.state ?? (row.state as object | null) ?? {},
        geoip: told?.geoip ?? (row.geoip as WireReport['geoip'] | null) ?? { ip: {} },
        // Only worked out for those who ask: many look through all machines every few seconds, for other things.
        get last_active() {
          return isOnline(told) ? timestamp(told.at) : zeroTime
        },
      }
    },
    onReport(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    forget(ids) {
      const gone = new Set(ids)
      for (const id of ids) heard.delete(id)
      for (const [uuid, id] of idByUuid) if (gone.has(id)) idByUuid.delete(uuid)
    },
  }
}
