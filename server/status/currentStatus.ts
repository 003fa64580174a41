import { isObject, type Values } from '../../src/schemas/define/values.ts'
import { zeroTime } from '../../src/schemas/define/wireNames.ts'
import type { HostFacts, HostState } from '../../src/schemas/machines/live.ts'
import { noteParts } from '../../src/schemas/machines/publicNote.ts'
import { maintenanceWindow } from '../../src/schemas/maintenanceWindow.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { service } from '../../src/schemas/service.ts'
import type {
  PublicStatus,
  ShownNote,
  StatusIncident,
  StatusMetrics,
  StatusServer,
  StatusService,
} from '../../src/schemas/status/publicStatus.ts'
import { takeTurns } from '../concurrency/takeTurns.ts'
import { createSnapshot } from '../db/selector.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import type { Machines } from '../machines/machines.ts'
import { byDisplayIndex, type ServerAccess } from '../machines/serverHooks.ts'
import type { OpenWindows } from '../maintenance/silence.ts'
import type { ServiceChecker } from '../services/serviceChecker.ts'
import type { ServiceRow } from '../services/serviceRow.ts'
import { readSite, type Site } from '../site/site.ts'
import { timestamp, withoutEmpty } from '../wire/apiCall.ts'
import type { Availability, ServiceAvailability } from './history/availability.ts'
import type { Incident, Incidents } from './history/incidents.ts'

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

/** Of each kind, so that a page stays one that a phone can show; the first ones in their order. */
const statusLimits = { servers: 2_000, services: 1_000, groups: 200, windows: 50 } as const

const shownMetrics = [
  'cpu',
  'mem_used',
  'disk_used',
  'net_in_speed',
  'net_out_speed',
  'net_in_transfer',
  'net_out_transfer',
  'uptime',
  'load_1',
] as const

/**
 * Gathers what a guest may see. Everything is picked by name: what is added to a record later does not get here by
 * itself. Others get their turn meanwhile.
 */
async function readStatus(sources: StatusSources): Promise<PublicStatus> {
  const { store, machines, access, windows, now } = sources
  const turn = takeTurns()
  const serverRows = entityTable(store, server)
    .all()
    .filter((row) => access.canSee(undefined, row))
    .sort(byDisplayIndex)
    .slice(0, statusLimits.servers)
  const serviceRows = entityTable(store, service)
    .all()
    .filter(({ hide_for_guest }) => !hide_for_guest)
    .sort(byDisplayIndex)
    .slice(0, statusLimits.services)
  const servers = new Set(serverRows.map(({ id }) => id))
  const services = new Set(serviceRows.map(({ id }) => id))
  const { site_name, language } = readSite(store)
  const status: PublicStatus = {
    now: now(),
    site: { name: site_name, language },
    servers: [],
    metrics: {},
    groups: entityTable(store, serverGroup)
      .all()
      .map((row) => ({
        id: row.id,
        name: row.name,
        servers: row.servers.filter((id) => servers.has(id)),
      }))
      .filter((group) => group.servers.length > 0)
      .slice(0, statusLimits.groups),
    ...(await readServices(serviceRows, sources)),
    incidents: sources.incidents.recent().map(incidentOf),
    windows: windows
      .all()
      .map(({ row, until, ...covered }) => ({
        name: row.name,
        until: timestamp(until),
        servers: [...covered.servers].filter((id) => servers.has(id)),
        services: [...covered.services].filter((id) => services.has(id)),
      }))
      .filter((window) => window.servers.length + window.services.length > 0)
      .slice(0, statusLimits.windows),
  }
  for (const row of serverRows) {
    const { host, state, geoip, last_active, missing = [] } = machines.wireReport(row)
    status.servers.push(serverOf(row, host, geoip.country_code))
    if (last_active !== zeroTime) status.metrics[row.id] = metricsOf(state, missing)
    await turn()
  }
  return status
}

function serverOf({ id, name, public_note }: ServerRow, host: HostFacts, country_code = ''): StatusServer {
  const { platform, arch, virtualization, cpu, mem_total, disk_total } = host
  const note = shownNote(public_note)
  const facts = { country_code, platform, arch, virtualization, cpu, mem_total, disk_total }
  return { id, name, ...withoutEmpty(facts), ...(note && { note }) } as StatusServer
}

function metricsOf(state: HostState, missing: readonly string[]): StatusMetrics {
  const metrics = Object.fromEntries(shownMetrics.flatMap((name) => (state[name] ? [[name, state[name]]] : [])))
  const unknown = shownMetrics.filter((name) => missing.includes(name))
  return unknown.length > 0 ? { ...metrics, missing: unknown } : metrics
}

type ServicesOfStatus = Pick<PublicStatus, 'services' | 'states' | 'today'>

/** What visitors see of services. @param rows those that they may see */
async function readServices(
  rows: readonly Pick<ServiceRow, 'id' | 'name' | 'paused'>[],
  { availability, checker }: Pick<StatusSources, 'availability' | 'checker'>,
): Promise<ServicesOfStatus> {
  const availabilities = await availability.of(rows.map(({ id }) => id))
  const read: ServicesOfStatus = { services: [], states: {}, today: '' }
  for (const { id, name, paused } of rows) {
    const days = availabilities.get(id) as ServiceAvailability
    const today = days.days.at(-1)
    read.today = today?.day ?? ''
    read.services.push({ id, name: name, ...availabilityOf(days) })
    const state = checker.statusOf(id)
    const outage = state === 'down' ? checker.outagesOf(id)[0] : undefined
    read.states[id] = {
      ...(state && { state: checker.isDegraded(id) ? 'degraded' : state }),
      ...(paused && { state: 'paused' }),
      ...(outage?.ended_at === null && { since: timestamp(outage.started_at) }),
      ...(today?.latency != null && { latency: Math.round(today.latency) }),
    }
  }
  return read
}

function availabilityOf({
  days,
  up_30,
  up_90,
}: ServiceAvailability): Pick<StatusService, 'up' | 'down_minutes' | 'up_30' | 'up_90'> {
  const down = days.flatMap(({ down_minutes }, index) => (down_minutes > 0 ? [[index, down_minutes] as const] : []))
  return {
    up: days.map(({ up }) => rounded(up)),
    down_minutes: Object.fromEntries(down),
    up_30: rounded(up_30),
    up_90: rounded(up_90),
  }
}

/** Downwards: a share of 1 means that nothing failed. */
const rounded = (share: number | null) => share && Math.floor(share * 10_000) / 10_000

const incidentOf = ({ id, kind, name, started_at, ended_at, cause }: Incident): StatusIncident => ({
  id,
  kind,
  name,
  started_at: timestamp(started_at),
  cause: cause.kind,
  ...(ended_at !== null && { ended_at: timestamp(ended_at) }),
  ...(cause.kind === 'status' && { code: cause.code }),
})

/** Characters of one value: a price, a plan, a sentence. */
const maxLength = 200

/** Reads from a public note the values that its form has. @returns `undefined` where there are none */
function shownNote(text: string): ShownNote | undefined {
  const note = parsed(text)
  const parts = Object.entries(noteParts).flatMap(([part, names]) => {
    const values = Object.keys(names).flatMap((name) => {
      const value = asObject(note[part])[name]
      return typeof value === 'string' && value !== '' ? [[name, value.slice(0, maxLength)] as const] : []
    })
    return values.length > 0 ? [[part, Object.fromEntries(values)] as const] : []
  })
  return parts.length > 0 ? Object.fromEntries(parts) : undefined
}

/** Any text may stand in a public note. */
function parsed(text: string): Values {
  if (!text.includes('DataMod')) return {}
  try {
    return asObject(JSON.parse(text))
  } catch {
    return {}
  }
}

const asObject = (value: unknown): Values => (isObject(value) ? value : {})

/** What the public status is read from. */
interface StatusSources {
  store: Store
  machines: Machines
  access: ServerAccess
  checker: Pick<ServiceChecker, 'statusOf' | 'isDegraded' | 'outagesOf'>
  windows: Pick<OpenWindows, 'all'>
  availability: Availability
  incidents: Incidents
  /** Milliseconds since 1970. */
  now: () => number
}
