import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Cluster } from '../cluster/clusterPlugin.ts'
import { labelText, type Metric, type Sample } from './exposition.ts'

interface Sources {
  app: Pick<
    FastifyInstance,
    | 'connectedAgents'
    | 'dispatch'
    | 'events'
    | 'notifications'
    | 'onlineUsers'
    | 'services'
    | 'tasks'
    | 'websocketServer'
  >
  version: string
  requests: RequestCounter
  meter: ProcessMeter
  /** The cluster that this server leads. */
  cluster?: Pick<Cluster, 'load'>
}

/** The metrics of this server itself. Those of the process have the names that are usual for programs in Node. */
export function ownMetrics({ app, version, requests, meter, cluster }: Sources): Metric[] {
  const checks = app.services.checker.counts()
  const { memory, cpuSeconds, startedAt, eventLoop } = meter.read()
  return [
    gauge('wheelhouse_build_info', 'The version of this server and of Node, always 1', [
      [labelText({ version, node: process.versions.node }), 1],
    ]),
    counter('wheelhouse_http_requests_total', 'Answered requests by the class of their status', requests.samples()),
    gauge('wheelhouse_http_connections', 'Connections with HTTP/1.1, and open requests over HTTP/2', [
      ['', app.dispatch.connectionCount()],
    ]),
    gauge('wheelhouse_websockets', 'Open WebSockets: live streams, terminals, file managers', [
      ['', app.websocketServer.clients.size],
    ]),
    gauge('wheelhouse_live_viewers', 'Open live streams', [['', app.onlineUsers.count()]]),
    gauge('wheelhouse_agents_connected', 'Agents that are connected', [['', app.connectedAgents()]]),
    gauge('wheelhouse_notifications_queued', 'Notifications that wait to be sent', [
      ['', app.notifications.queuedCount()],
    ]),
    gauge('wheelhouse_events_queued', 'Events that wait for their receivers, or to be tried again', [
      ['', app.events.waitingCount()],
    ]),
    gauge('wheelhouse_task_executions_running', 'Executions of tasks that have not ended', [
      ['', app.tasks.runningCount()],
    ]),
    gauge('wheelhouse_service_checks_running', 'Checks of services that have not ended', [['', checks.running]]),
    counter('wheelhouse_service_checks_total', 'Checks of services that were begun', [['', checks.begun]]),
    counter('wheelhouse_service_checks_late_total', 'Checks that began more than a second late', [['', checks.late]]),
    counter('wheelhouse_service_check_delay_seconds_total', 'How late checks began, all together', [
      ['', checks.lateMs / 1000],
    ]),
    ...(cluster ? clusterMetrics(cluster.load()) : []),
    counter('process_cpu_seconds_total', 'Processor time of this server', [['', cpuSeconds]]),
    gauge('process_start_time_seconds', 'When this server was started', [['', startedAt / 1000]]),
    gauge('process_resident_memory_bytes', 'Resident memory of this server', [['', memory.rss]]),
    gauge('nodejs_heap_size_total_bytes', 'Size of the heap', [['', memory.heapTotal]]),
    gauge('nodejs_heap_size_used_bytes', 'The part of the heap that is in use', [['', memory.heapUsed]]),
    gauge('nodejs_external_memory_bytes', 'Memory outside the heap that belongs to objects in it', [
      ['', memory.external],
    ]),
    gauge('nodejs_eventloop_lag_p50_seconds', 'Delay of the event loop since the last scrape: median', [
      ['', eventLoop.p50],
    ]),
    gauge('nodejs_eventloop_lag_p99_seconds', 'Delay of the event loop since the last scrape: 99 of 100', [
      ['', eventLoop.p99],
    ]),
    gauge('nodejs_eventloop_lag_max_seconds', 'Delay of the event loop since the last scrape: the longest', [
      ['', eventLoop.max],
    ]),
  ]
}

const clusterMetrics = ({ term, waiting, silentMs }: ReturnType<Cluster['load']>): Metric[] => [
  gauge('wheelhouse_cluster_term', 'Grows by one with each server that begins to lead the cluster', [['', term]]),
  gauge('wheelhouse_cluster_commits_waiting', 'Changes that are not in PostgreSQL yet', [['', waiting]]),
  gauge('wheelhouse_cluster_database_silent_seconds', 'Since PostgreSQL has last confirmed that this server leads', [
    ['', silentMs / 1000],
  ]),
]

const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  type: 'gauge',
  help,
  samples: () => samples,
})

const counter = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  ...gauge(name, help, samples),
  type: 'counter',
})

interface ProcessUse {
  /** Bytes. */
  memory: NodeJS.MemoryUsage
  cpuSeconds: number
  /** Milliseconds since 1970. */
  startedAt: number
  /** Seconds for which the event loop was late, since the last call. */
  eventLoop: { p50: number; p99: number; max: number }
}

/** Measures this process. */
interface ProcessMeter {
  /** The event loop is watched from the first call on: it costs nothing while nobody reads the metrics. */
  read(): ProcessUse
  stop(): void
}

/** Milliseconds between two looks at the event loop. */
const resolutionMs = 20

export function createProcessMeter(): ProcessMeter {
  const startedAt = Date.now() - process.uptime() * 1000
  let histogram: ReturnType<typeof monitorEventLoopDelay> | undefined

  function readEventLoop(): ProcessUse['eventLoop'] {
    if (!histogram) {
      histogram = monitorEventLoopDelay({ resolution: resolutionMs })
      histogram.enable()
    }
    // What is measured is the time between two looks. Before the second one there is nothing.
    const late = (nanoseconds: number) => (histogram?.count ? Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000) : 0)
    const { max } = histogram
    const read = { p50: late(histogram.percentile(50)), p99: late(histogram.percentile(99)), max: late(max) }
    histogram.reset()
    return read
  }

  return {
    read() {
      const { user, system } = process.cpuUsage()
      return {
        memory: process.memoryUsage(),
        cpuSeconds: (user + system) / 1e6,
        startedAt,
        eventLoop: readEventLoop(),
      }
    },
    stop: () => void histogram?.disable(),
  }
}

/** Counts answered requests since the start of the server. */
interface RequestCounter {
  /** @param status of the reply */
  count(status: number): void
  samples(): Sample[]
}

/** From 2xx to 5xx. */
const classes = [2, 3, 4, 5]

export function createRequestCounter(): RequestCounter {
  const counts = new Map(classes.map((one) => [one, 0]))
  return {
    count(status) {
      const one = Math.floor(status / 100)
      const count = counts.get(one)
      if (count !== undefined) counts.set(one, count + 1)
    },
    samples: () => [...counts].map(([one, count]) => [labelText({ status: `${one}xx` }), count]),
  }
}
