import { zeroTime } from '../../src/schemas/define/wireNames.ts'
import type { LeftOut } from '../../src/schemas/machines/live.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import { timestamp, withoutEmpty } from '../wire/apiCall.ts'
import type { Host, HostFacts, HostReport } from './hosts/host.ts'
import {
  createReportJudge,
  type JudgedState,
  type KnownState,
  type NumberField,
  type ReportJudge,
} from './judgeReports.ts'
import { randomName } from './randomName.ts'
import { LastState, metricNames, openSavedReports, type SavedReport } from './savedReports.ts'

/** The addresses in a machine's report. */
export interface ReportedAddresses {
  ipv4_addr?: string
  ipv6_addr?: string
}

/** A machine's last report, as `GET /server` shows it (docs/contract/CONTRACT.md#54-servers). */
export interface WireReport {
  host: NonNullable<ServerRow['host']>
  state: NonNullable<ServerRow['state']>
  geoip: { ip: ReportedAddresses; country_code?: string }
  /** The addresses of all machines that report with the same uuid, when there are several. */
  duplicate_uuid?: readonly string[]
  /** The metrics of which the last report said nothing that can be, when there are any: `state` has no zeros either. */
  missing?: readonly NumberField[]
  /** What its reports said that cannot be, since the start of this server, when there was any. */
  left_out?: LeftOut
  /** The zero time when the machine is offline. */
  last_active: string
}

/** A report as far as it can be true. */
export interface JudgedReport extends Omit<HostReport, 'state'> {
  state: JudgedState
  /** How much was left out since the start of this server. */
  leftOut: Readonly<LeftOut>
}

/** The monitored machines: their rows in the store, and their last reports in memory. */
export interface Machines {
  /** Subscribes to a machine and starts its reports. The first report finds or creates its row. */
  add(host: Host): void
  /** Ends the reports of a machine. It is offline then. */
  remove(host: Host): void
  /** What is known of a machine; also of one that has not reported since the start of the server. */
  factsOf(id: number): HostFacts | undefined
  /** The id of the row of a machine; `undefined` when it has none. */
  idOf(uuid: string): number | undefined
  /** Creates the row of a machine. @param userId the owner, 0 for none @returns its id */
  register(uuid: string, name: string, userId: number): number
  /** Ends all reports; the machines are offline then. */
  stop(): Promise<void>
  /** The machine of a row while it is online. */
  connected(row: Pick<ServerRow, 'id'>): Host | undefined
  /** The last report of a row's machine. */
  wireReport(row: ReportedRow): WireReport
  /** The metrics of `wireReport` as JSON text: the same one until the next report. */
  stateJson(row: ReportedRow): string
  /** One of the metrics of `wireReport`; `undefined` when the machine has not reported it. */
  metric(row: ReportedRow, name: NumberField): number | undefined
  /** The host of `wireReport`: the same object until it changes. */
  hostOf(row: ReportedRow): WireReport['host']
  /**
   * When a row's machine reported last, in milliseconds since 1970, also when it is offline; `undefined` when it never
   * has. After a restart of the server it may be a minute too early.
   */
  lastSeen(row: Pick<ServerRow, 'id'>): number | undefined
  /** Calls `listener` with every report and the id of the machine's row, until the returned function is called. */
  onReport(listener: (id: number, report: JudgedReport) => void): () => void
  /** To be called when rows were deleted. A machine that goes on reporting gets a new row. */
  forget(rows: readonly DeletedServer[]): void
  /** Calls `listener` with rows that were deleted, until the returned function is called. */
  onForget(listener: (deleted: readonly ForgottenMachine[]) => void): () => void
}

/** What a row has of reports, for lists of made-up servers. */
type ReportedRow = Pick<ServerRow, 'id'> & Partial<Pick<ServerRow, 'host' | 'state' | 'geoip'>>

/** A row that was deleted. */
export type DeletedServer = Pick<ServerRow, 'id'> & Partial<Pick<ServerRow, 'uuid' | 'name' | 'user_id'>>

export interface ForgottenMachine {
  row: DeletedServer
  /** The machine of the row, if it has reported since the start of the server. */
  host: Host | undefined
}

export interface MachinesOptions {
  store: Store
  /** Called when reports cannot be saved, as on a full disk. */
  onFailure?: (error: unknown) => void
  /** Milliseconds since 1970. */
  now?: () => number
}

interface LastReport {
  /** `undefined` when it is from before the start of the server. */
  source: Host | undefined
  facts: HostFacts
  host: WireReport['host']
  missing: readonly NumberField[]
  state: LastState
  geoip: WireReport['geoip']
  /** When it came; long ago when the machine is known to be offline. */
  at: number
  /** When it came; 0 when that is not known. */
  seenAt: number
}

export function createMachines({ store, now = Date.now, onFailure = () => {} }: MachinesOptions): Machines {
  const rows = entityTable(store, server)
  const lastReports = new Map<number, LastReport>()
  const idByUuid = new Map<string, number>()
  const judges = new Map<number, ReportJudge>()
  const listeners = new Set<(id: number, report: JudgedReport) => void>()
  const forgetListeners = new Set<(deleted: readonly ForgottenMachine[]) => void>()
  const idByHost = new Map<Host, number>()
  const unsubscribeByHost = new Map<Host, () => void>()
  for (const { id, uuid } of rows.all()) if (uuid) idByUuid.set(uuid, id)
  const saved = openSavedReports(store, savedReportOf, onFailure)
  for (const [id, { facts, state, seen_at }] of saved.loaded) {
    lastReports.set(id, { ...newReport(facts), state: new LastState(state), seenAt: seen_at })
  }

  function savedReportOf(id: number): SavedReport | undefined {
    const lastReport = lastReports.get(id)
    if (!lastReport) return undefined
    const { facts, seenAt } = lastReport
    const reported = judges.get(id)?.reported() ?? saved.loaded.get(id)?.reported ?? null
    return { facts, state: lastReport.state.values(), seen_at: seenAt, reported }
  }

  function stateJson(row: ReportedRow): string {
    return lastReports.get(row.id)?.state.json() ?? JSON.stringify(row.state ?? {})
  }

  function idOf(uuid: string): number | undefined {
    const id = idByUuid.get(uuid) ?? rows.find({ uuid })[0]?.id
    if (id !== undefined) idByUuid.set(uuid, id)
    return id
  }

  function register(uuid: string, name: string, user_id: number): number {
    const at = timestamp()
    const id = rows.insert({ uuid, name: name || randomName(), user_id, created_at: at, updated_at: at })
    idByUuid.set(uuid, id)
    return id
  }

  function knownState(id: number): KnownState | undefined {
    const before = saved.loaded.get(id)
    return before && lastReports.has(id) ? { ...before, at: before.seen_at } : undefined
  }

  /** What was reported before the start of this server is where the counters go on. */
  function judgeOf(id: number): ReportJudge {
    const known = judges.get(id)
    if (known) return known
    const judge = createReportJudge(knownState(id))
    judges.set(id, judge)
    return judge
  }

  function firstReport(id: number, facts: HostFacts): LastReport {
    const report = newReport(facts)
    lastReports.set(id, report)
    return report
  }

  function receive(host: Host, report: HostReport): void {
    const { facts, at } = report
    // A machine that nobody has registered has no owner: only admins see it.
    const id = idOf(facts.uuid) ?? register(facts.uuid, host.name(), 0)
    if (idByHost.get(host) !== id) idByHost.set(host, id)
    const judge = judgeOf(id)
    const { jumps } = judge.leftOut()
    const state = judge.judge(report.state, facts.host, at.getTime())
    const lastReport = lastReports.get(id) ?? firstReport(id, facts)
    // Changed in place, for the same reason as its state.
    if (lastReport.facts !== facts) Object.assign(lastReport, presentFacts(facts))
    lastReport.source = host
    lastReport.state.set(state)
    lastReport.missing = missingIn(state)
    lastReport.at = at.getTime()
    lastReport.seenAt = lastReport.at
    if (judge.leftOut().jumps > jumps) saved.markLeapt(id)
    else saved.markChanged(id)
    for (const listener of listeners) listener(id, { facts, state, at, leftOut: judge.leftOut() })
  }

  function disconnect(host: Host): void {
    const lastReport = lastReports.get(idByHost.get(host) ?? 0)
    if (lastReport?.source === host) lastReport.at = longAgo
  }

  function isOnline(lastReport: LastReport | undefined): lastReport is LastReport {
    if (lastReport?.source === undefined) return false
    const silentMs = now() - lastReport.at
    // Asked of all machines every second: how long one may be silent is found out of those that are.
    return silentMs <= neverOfflineMs || silentMs <= lastReport.source.offlineAfterMs
  }

  return {
    idOf,
    register,
    stateJson,
    metric(row, name) {
      const lastReport = lastReports.get(row.id)
      if (lastReport) return lastReport.state.metric(name)
      return row.state && Object.keys(row.state).length > 0 ? (row.state[name] ?? 0) : undefined
    },
    hostOf: (row) => lastReports.get(row.id)?.host ?? row.host ?? {},
    lastSeen: ({ id }) => lastReports.get(id)?.seenAt || undefined,
    factsOf: (id) => lastReports.get(id)?.facts,
    add(host) {
      const unsubscribeReport = host.onReport((report) => receive(host, report))
      const unsubscribeEnd = host.onDisconnect(() => disconnect(host))
      unsubscribeByHost.set(host, () => {
        unsubscribeReport()
        unsubscribeEnd()
      })
      host.start()
    },
    remove(host) {
      unsubscribeByHost.get(host)?.()
      unsubscribeByHost.delete(host)
      disconnect(host)
      idByHost.delete(host)
      void host.stop()
    },
    async stop() {
      const hosts = [...unsubscribeByHost.keys()]
      for (const unsubscribe of unsubscribeByHost.values()) unsubscribe()
      unsubscribeByHost.clear()
      await Promise.all(hosts.map((host) => host.stop()))
      for (const lastReport of lastReports.values()) lastReport.at = longAgo
      saved.flush()
    },
    connected(row) {
      const lastReport = lastReports.get(row.id)
      return isOnline(lastReport) ? lastReport.source : undefined
    },
    wireReport(row) {
      const lastReport = lastReports.get(row.id)
      let state: WireReport['state'] | undefined
      return {
        host: lastReport?.host ?? row.host ?? {},
        // Made on demand, as most callers do not need it.
        get state() {
          state ??= lastReport?.state.values() ?? row.state ?? {}
          return state
        },
        geoip: lastReport?.geoip ?? { ip: {}, ...row.geoip },
        ...(lastReport?.facts.duplicates && isOnline(lastReport) && { duplicate_uuid: lastReport.facts.duplicates }),
        ...(lastReport && lastReport.missing.length > 0 && { missing: lastReport.missing }),
        ...leftOutMember(judges.get(row.id)),
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
    forget(rows) {
      const deletedIds = new Set(rows.map(({ id }) => id))
      for (const [uuid, id] of idByUuid) if (deletedIds.has(id)) idByUuid.delete(uuid)
      saved.remove([...deletedIds])
      const deleted = rows.map((row) => ({ row, host: lastReports.get(row.id)?.source }))
      for (const id of deletedIds) {
        lastReports.delete(id)
        judges.delete(id)
      }
      for (const listener of forgetListeners) listener(deleted)
    },
    onForget(listener) {
      forgetListeners.add(listener)
      return () => forgetListeners.delete(listener)
    },
  }
}

/** Milliseconds without a report after which no machine counts as offline yet. */
const neverOfflineMs = 5000

const longAgo = Number.NEGATIVE_INFINITY

const newReport = (facts: HostFacts): LastReport => ({
  source: undefined,
  state: new LastState(),
  missing: nothing,
  at: longAgo,
  seenAt: 0,
  ...presentFacts(facts),
})

const presentFacts = (facts: HostFacts) => ({
  facts,
  host: withoutEmpty(facts.host),
  geoip: { ...withoutEmpty(facts.geoip), ip: withoutEmpty(facts.geoip.ip) },
})

/** Most reports lack nothing, and share this list. */
const nothing: readonly NumberField[] = []

function missingIn(state: JudgedState): readonly NumberField[] {
  const missing = metricNames.filter((name) => state[name] === undefined)
  return missing.length > 0 ? missing : nothing
}

function leftOutMember(judge: ReportJudge | undefined): Pick<WireReport, 'left_out'> {
  const leftOut = judge?.leftOut()
  return leftOut && leftOut.values + leftOut.jumps > 0 ? { left_out: leftOut } : {}
}
