import { alertRule } from '../../src/schemas/alertRule.ts'
import type { HostFacts, HostState, LeftOut } from '../../src/schemas/machines/live.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { service } from '../../src/schemas/service.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { takeTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Row, type ServerRow } from '../entities/entityTable.ts'
import type { NumberField } from '../machines/judgeReports.ts'
import type { Machines } from '../machines/machines.ts'
import type { ServiceChecker } from '../services/serviceChecker.ts'
import { labelText, type Metric, type Sample, withLabel } from './exposition.ts'

/** A server as it was when a scrape began. */
interface ScrapedServer {
  row: ServerRow
  /** Id and name, which every sample of a server has. */
  labels: string
  host: HostFacts
  country: string
  lastSeen: number | undefined
  /** `undefined` while it is offline: old metrics would look like a machine that stands still. */
  state: HostState | undefined
  /** What its last report said nothing about that can be. */
  missing: readonly NumberField[]
  /** What its reports said that cannot be. */
  leftOut: LeftOut | undefined
}

/** Rows between two looks at the clock. */
const rowsPerTurn = 100

/** The metrics of all servers. What they are made of is read now, so that all of them are of one moment. */
export async function serverMetrics(store: Store, machines: Machines): Promise<Metric[]> {
  const turn = takeTurns()
  const servers: ScrapedServer[] = []
  for (const [index, row] of entityTable(store, server).all().entries()) {
    servers.push(scrapedServer(row, machines))
    if (index % rowsPerTurn === 0) await turn()
  }
  const labelsById = new Map(servers.map(({ row, labels }) => [row.id, labels]))
  const ofAll = (name: string, help: string, read: (one: ScrapedServer) => number | undefined): Metric => ({
    name: `wheelhouse_server_${name}`,
    type: 'gauge',
    help,
    *samples() {
      for (const one of servers) {
        const value = read(one)
        if (value !== undefined) yield [one.labels, value]
      }
    },
  })
  // What cannot be is missing, and not 0.
  const ofOnline = (name: string, help: string, field: NumberField, perUnit = 1) =>
    ofAll(name, help, ({ state, missing }) =>
      state && !missing.includes(field) ? ((state[field] as number | undefined) ?? 0) / perUnit : undefined,
    )

  return [
    ofAll('up', 'Whether the server reports (1) or is offline (0)', ({ state }) => (state ? 1 : 0)),
    ofAll('last_seen_timestamp_seconds', 'When the server reported last', ({ lastSeen }) => seconds(lastSeen)),
    {
      name: 'wheelhouse_server_info',
      type: 'gauge',
      help: 'What a server is, always 1',
      samples: () => servers.map((one) => [infoLabels(one), 1]),
    },
    {
      name: 'wheelhouse_server_group_info',
      type: 'gauge',
      help: 'A server and one of its groups, always 1; once for each group of the server',
      samples: () => groupSamples(store, labelsById),
    },
    ofOnline('cpu_usage_ratio', 'Use of all processors together, 0 to 1', 'cpu', 100),
    ofAll('memory_size_bytes', 'Memory of the server', ({ host }) => host.mem_total),
    ofOnline('memory_used_bytes', 'Memory in use, without caches', 'mem_used'),
    ofAll('swap_size_bytes', 'Swap space of the server', ({ host }) => host.swap_total),
    ofOnline('swap_used_bytes', 'Swap space in use', 'swap_used'),
    ofAll('disk_size_bytes', 'Size of all local disks', ({ host }) => host.disk_total),
    ofOnline('disk_used_bytes', 'Space in use on all local disks', 'disk_used'),
    counter(ofOnline('network_receive_bytes_total', 'Received since boot', 'net_in_transfer')),
    counter(ofOnline('network_transmit_bytes_total', 'Sent since boot', 'net_out_transfer')),
    ofOnline('network_receive_bytes_per_second', 'Speed of receiving, as reported', 'net_in_speed'),
    ofOnline('network_transmit_bytes_per_second', 'Speed of sending, as reported', 'net_out_speed'),
    ofOnline('load1', 'Load average of a minute', 'load_1'),
    ofOnline('load5', 'Load average of 5 minutes', 'load_5'),
    ofOnline('load15', 'Load average of 15 minutes', 'load_15'),
    ofOnline('tcp_connections', 'TCP sockets in use', 'tcp_conn_count'),
    ofOnline('udp_connections', 'UDP sockets in use', 'udp_conn_count'),
    ofOnline('processes', 'Processes that run', 'process_count'),
    ofOnline('uptime_seconds', 'Time since boot', 'uptime'),
    counter(
      ofAll('values_left_out_total', 'Reported values that no server can have', ({ leftOut }) => leftOut?.values ?? 0),
    ),
    counter(
      ofAll(
        'counter_jumps_left_out_total',
        'Network counters that fell or leapt between two boots',
        ({ leftOut }) => leftOut?.jumps ?? 0,
      ),
    ),
    {
      name: 'wheelhouse_server_temperature_celsius',
      type: 'gauge',
      help: 'Temperature of a sensor',
      samples: () => samplesOfEach(servers, temperatureSamples),
    },
    {
      name: 'wheelhouse_server_gpu_usage_ratio',
      type: 'gauge',
      help: 'Use of a graphics processor, 0 to 1',
      samples: () => samplesOfEach(servers, gpuSamples),
    },
  ]
}

function scrapedServer(row: ServerRow, machines: Machines): ScrapedServer {
  const { host, geoip, left_out, missing = [] } = machines.wireReport(row)
  return {
    row,
    host: host,
    country: geoip.country_code ?? '',
    lastSeen: machines.lastSeen(row),
    missing,
    leftOut: left_out,
    labels: labelText({ id: row.id, name: String(row.name ?? '') }),
    state: machines.connected(row) ? (JSON.parse(machines.stateJson(row)) as HostState) : undefined,
  }
}

const counter = (metric: Metric): Metric => ({ ...metric, type: 'counter' })

const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000)

function infoLabels({ row, host, country }: ScrapedServer): string {
  const { platform = '', platform_version = '', arch = '', virtualization = '', version = '' } = host
  return labelText({
    id: row.id,
    name: String(row.name ?? ''),
    country,
    platform,
    platform_version,
    arch,
    virtualization,
    agent_version: version,
  })
}

function* groupSamples(store: Store, labelsById: ReadonlyMap<number, string>): Generator<Sample> {
  for (const { id, name, servers } of entityTable(store, serverGroup).all()) {
    for (const member of new Set(servers)) {
      const labels = labelsById.get(member)
      if (labels) yield [withLabel(withLabel(labels, 'group_id', id), 'group', String(name ?? '')), 1]
    }
  }
}

function* samplesOfEach(
  servers: readonly ScrapedServer[],
  samplesOf: (labels: string, state: HostState) => Iterable<Sample>,
): Generator<Sample> {
  for (const { labels, state } of servers) if (state) yield* samplesOf(labels, state)
}

/** Two sensors may have one name, and two samples may not: the second is numbered. */
function* temperatureSamples(labels: string, { temperatures }: HostState): Generator<Sample> {
  const names = new Set<string>()
  for (const { Name, Temperature } of temperatures ?? []) {
    let name = Name
    for (let number = 2; names.has(name); number++) name = `${Name} ${number}`
    names.add(name)
    yield [withLabel(labels, 'sensor', name), Temperature]
  }
}

function* gpuSamples(labels: string, { gpu }: HostState): Generator<Sample> {
  for (const [index, percent] of (gpu ?? []).entries()) yield [withLabel(labels, 'gpu', index), percent / 100]
}

interface Sources {
  store: Store
  checker: ServiceChecker
  alerts: Pick<Alerts, 'firing'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** The metrics of services and of alert rules. */
export function recordMetrics({ store, checker, alerts, now }: Sources): Metric[] {
  const at = now()
  const firing = alerts.firing()
  const ofServices = gauges('wheelhouse_service_', entityTable(store, service).all())
  const ofRules = gauges('wheelhouse_alert_rule_', entityTable(store, alertRule).all())
  const up = { up: 1, down: 0 }
  const secondsOf = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000)
  return [
    ofServices('up', 'Whether the service is up (1) or down (0); missing before its first check', ({ id }) => {
      const status = checker.statusOf(id)
      return status && up[status]
    }),
    ofServices(
      'latency_seconds',
      'Mean of the good checks in the latest half minute with any; missing after 15 minutes without',
      ({ id }) => secondsOf(checker.recentResultsOf(id)?.latency(at)),
    ),
    ofServices(
      'certificate_expiry_timestamp_seconds',
      'When the first certificate of the service expires; missing without TLS',
      ({ id }) => secondsOf(checker.certificateEndOf(id)),
    ),
    ofRules('enabled', 'Whether the alert rule is on (1) or off (0)', ({ enable }) => (enable ? 1 : 0)),
    ofRules('firing', 'Servers on which the alert rule fires now', ({ id }) => firing.get(id) ?? 0),
  ]
}

/** Makes gauges with the id and the name of a record as labels. */
function gauges<R extends Pick<Row, 'id'> & { name: string }>(prefix: string, rows: readonly R[]) {
  const labelled = rows.map((row) => ({ row, labels: labelText({ id: row.id, name: row.name }) }))
  return (name: string, help: string, read: (row: R) => number | undefined): Metric => ({
    name: `${prefix}${name}`,
    type: 'gauge',
    help,
    *samples() {
      for (const { row, labels } of labelled) {
        const value = read(row)
        if (value !== undefined) yield [labels, value]
      }
    },
  })
}
