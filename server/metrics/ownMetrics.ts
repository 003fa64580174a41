import type { FastifyInstance } from 'fastify'
import type { Cluster } from '../cluster/clusterPlugin.ts'
import { labelText, type Metric, type Sample } from './exposition.ts'
import type { ProcessMeter } from './processMeter.ts'
import type { RequestCounter } from './requestCounter.ts'

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
