import { zeroTime } from '../../src/schemas/define/wireNames.ts'
import type { HostFacts, HostState } from '../../src/schemas/machines/live.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { service } from '../../src/schemas/service.ts'
import type { PublicStatus, StatusMetrics, StatusServer } from '../../src/schemas/status/publicStatus.ts'
import { takeTurns } from '../concurrency/takeTurns.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { ServerRow } from '../entities/row.ts'
import { byDisplayIndex } from '../machines/serverHooks.ts'
import { readSite } from '../site/site.ts'
import { timestamp } from '../wire/timestamp.ts'
import { withoutEmpty } from '../wire/withoutEmpty.ts'
import { incidentOf, readServices } from './readServices.ts'
import { shownNote } from './shownNote.ts'
import type { StatusSources } from './statusSources.ts'

/** Of each kind, so that a page stays one that a phone can show; the first ones in their order. */
export const statusLimits = { servers: 2_000, services: 1_000, groups: 200, windows: 50 } as const

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
export async function readStatus(sources: StatusSources): Promise<PublicStatus> {
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
