import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fastify from 'fastify'
import { bodyLimits } from '../src/schemas/define/endpoint.ts'
import { usePeerAddress } from '../src/schemas/settings/siteSetting.ts'
import { agentsPlugin } from './agents/agentsPlugin.ts'
import type { AlertTimes } from './alerts/alerts.ts'
import { alertsPlugin, backtestPlugin } from './alerts/alertsPlugin.ts'
import { configurationPlugin } from './api/configurationPlugin.ts'
import { crudPlugin, entityHooksPlugin } from './api/crudPlugin.ts'
import type { AuditLog } from './audit/auditLog.ts'
import { auditPlugin } from './audit/auditPlugin.ts'
import { changesPlugin } from './audit/changesPlugin.ts'
import { accountPlugin } from './auth/account/accountPlugin.ts'
import { authPlugin } from './auth/authPlugin.ts'
import { oauth2Plugin } from './auth/oauth2/oauth2Plugin.ts'
import type { PasswordCost } from './auth/passwords/password.ts'
import { proofsPlugin } from './auth/proofs/proofsPlugin.ts'
import type { Providers } from './auth/providers/providers.ts'
import type { KeySource } from './auth/secondFactor/secretBox.ts'
import { backupsPlugin } from './backups/backups.ts'
import { type Cluster, clusterPlugin } from './cluster/clusterPlugin.ts'
import { askSafely } from './concurrency/askSafely.ts'
import { createLoad } from './concurrency/load.ts'
import type { PlaceLimits } from './concurrency/placeQueue.ts'
import type { History } from './db/history/openHistory.ts'
import { createRetentionClock } from './db/retentionClock.ts'
import type { Store } from './db/store.ts'
import { ddnsPlugin } from './ddns/ddnsPlugin.ts'
import { escalationsPlugin } from './escalations/escalationsPlugin.ts'
import { eventsPlugin } from './events/eventsPlugin.ts'
import type { ReplyLimits } from './http/answerInTurn.ts'
import { createDispatch } from './http/dispatch.ts'
import { healthPlugin } from './http/healthPlugin.ts'
import { httpPlugin } from './http/httpPlugin.ts'
import { createRareWarning, type WarnRarely } from './http/rareWarning.ts'
import type { SocketLimits, UnreadLimits } from './http/requestLimits.ts'
import { noCompilers } from './http/routes/openapi.ts'
import { securityPlugin } from './http/securityPlugin.ts'
import { importsPlugin } from './imports/importsPlugin.ts'
import { incidentSourcesPlugin } from './incidents/incidentSources.ts'
import { incidentsPlugin } from './incidents/incidentsPlugin.ts'
import { inspectPlugin } from './inspect/inspectPlugin.ts'
import { questionsPlugin } from './inspect/questions/questionsPlugin.ts'
import { snapshotsPlugin } from './inspect/snapshots/snapshotsPlugin.ts'
import { fileTransfersPlugin } from './inspect/transfers/fileTransfersPlugin.ts'
import type { Log } from './log.ts'
import { livePlugin } from './machines/live/livePlugin.ts'
import type { Machines } from './machines/machines.ts'
import { machinesPlugin } from './machines/machinesPlugin.ts'
import { maintenancePlugin, windowNotificationsPlugin } from './maintenance/maintenancePlugin.ts'
import { mcpPlugin } from './mcp/mcpPlugin.ts'
import { metricsPlugin, type ScrapeLimits } from './metrics/metricsPlugin.ts'
import { type NatLimits, natPlugin } from './nat/natPlugin.ts'
import type { NotificationServices } from './notifications/notifications.ts'
import { notificationsPlugin } from './notifications/notificationsPlugin.ts'
import { outboundPlugin } from './outbound/privateTargets.ts'
import { servicesPlugin } from './services/servicesPlugin.ts'
import { type SocketTimes, sessionsPlugin } from './sessions/sessionsPlugin.ts'
import type { Settings } from './settings.ts'
import { securityFactsPlugin } from './site/securityFacts.ts'
import { readSite } from './site/site.ts'
import { sitePlugin } from './site/sitePlugin.ts'
import { statusPagePlugin } from './status/page/statusPagePlugin.ts'
import { statusPlugin } from './status/statusPlugin.ts'
import { tasksPlugin } from './tasks/tasksPlugin.ts'
import { contractsPlugin } from './traffic/contractsPlugin.ts'
import { trafficPlugin } from './traffic/trafficPlugin.ts'
import { troublePlugin } from './trouble/troublePlugin.ts'

/** What is known about the end of a server that did not end by its will. */
export interface CutOff {
  /** The file with the error; without one it was killed, or the machine ended with it. */
  traceFile?: string
}

/** What the plug-ins are given; what they need of each other they find on the app. */
export interface AppOptions {
  store: Store
  log: Log
  settings: Pick<
    Settings,
    | 'host'
    | 'publicUrl'
    | 'allowPrivateTargets'
    | 'allowUnreleasedNames'
    | 'tls'
    | 'geoipDatabase'
    | 'metricsAllow'
    | 'backups'
    | 'forceAuth'
  >
  /** Version of this server, as administrators see it. */
  version: string
  /** The OAuth2 providers. Default: none. */
  providers?: Providers
  /** Folder of the built console. Without it only the API is served. */
  dist?: string
  /** The monitored machines. Default: those in the store, none of which reports. */
  machines?: Machines
  /** Where metrics over time are kept. Default: in memory. */
  history?: History
  /** The audit log. Default: in memory. */
  audit?: AuditLog
  /** The folder for recorded terminals. Default: none are recorded. */
  recordingsFolder?: string
  /** The clock, in milliseconds since 1970. */
  now?: () => number
  /** Milliseconds of a clock that nobody sets. Default: that of the process, or `now` where that is given. */
  monotonicNow?: () => number
  /** How often the sockets of terminals and file managers are checked. Default: as the contract has it. */
  socketTimes?: SocketTimes
  /** Milliseconds between two frames of the live streams of machines and of the status page. Default: 2000. */
  tickMs?: number
  /** Milliseconds between two comparisons of the addresses of machines. Default: 5000. */
  addressCheckMs?: number
  /** Milliseconds that an agent has to open a stream that it was asked for. Default: 10,000. */
  agentStreamMs?: number
  /** When alert rules are checked. Default: as the contract has it. */
  alertTimes?: AlertTimes
  /** Milliseconds between two looks whether a backup is due. Default: a minute. */
  backupCheckMs?: number
  /** How long and how many forwarded requests may take. */
  nat?: NatLimits
  /** Milliseconds for a whole request to arrive. Default: a minute. */
  requestTimeoutMs?: number
  /** How many connections may be open. */
  connectionLimits?: Partial<PlaceLimits>
  /** How many requests of a connection may wait, how long a reply may stay unread, and how many bytes. */
  replyLimits?: Partial<ReplyLimits & UnreadLimits>
  /** What scrapes of the metrics may cost. */
  scrapeLimits?: ScrapeLimits
  /** How many WebSockets may be open. */
  socketLimits?: SocketLimits
  /** The key for the secrets of authenticator apps. Default: it is in the store, for one in memory. */
  secondFactorKey?: KeySource
  /** The cluster that this server leads. Default: it is alone. */
  cluster?: Cluster
  /** What new password hashes cost. Default: what OWASP recommends; tests that are about something else take less. */
  passwordCost?: PasswordCost
  /** How the server before this one ended, if not by its will. */
  cutOff?: CutOff
  /** Called after every successful sign-in. */
  onSignIn?: (userId: number) => void
  /** How senders of messages wait between two tries. Default: by the clock of the machine. */
  pause?: NotificationServices['pause']
}

type PluginOptions = AppOptions &
  Required<Pick<AppOptions, 'providers' | 'now' | 'onSignIn'>> & {
    /** The time by which history is too old, in milliseconds since 1970. */
    retentionNow: () => number
    /** Warns the operator of what strangers cause, without filling the log. */
    warnRarely: WarnRarely
  }

/**
 * The plug-ins of the server in the order of their start; they end in reverse. Each is a Fastify plugin that declares which
 * others have to be there before it: a missing or misplaced one is refused at the start.
 */
export const plugins: readonly FastifyPluginAsync<PluginOptions>[] = [
  entityHooksPlugin,
  httpPlugin,
  authPlugin,
  securityPlugin,
  auditPlugin,
  changesPlugin,
  backupsPlugin,
  proofsPlugin,
  outboundPlugin,
  accountPlugin,
  oauth2Plugin,
  sitePlugin,
  securityFactsPlugin,
  machinesPlugin,
  natPlugin,
  maintenancePlugin,
  notificationsPlugin,
  inspectPlugin,
  fileTransfersPlugin,
  questionsPlugin,
  snapshotsPlugin,
  incidentsPlugin,
  windowNotificationsPlugin,
  tasksPlugin,
  alertsPlugin,
  servicesPlugin,
  ddnsPlugin,
  eventsPlugin,
  incidentSourcesPlugin,
  escalationsPlugin,
  backtestPlugin,
  statusPlugin,
  trafficPlugin,
  contractsPlugin,
  troublePlugin,
  agentsPlugin,
  livePlugin,
  statusPagePlugin,
  sessionsPlugin,
  metricsPlugin,
  healthPlugin,
  clusterPlugin,
  // It makes tools of the lists that are registered after it.
  mcpPlugin,
  crudPlugin,
  configurationPlugin,
  importsPlugin,
]

/** So that slow requests cannot take all connections. */
const defaultRequestTimeoutMs = 60_000
/** Characters. A number of any length gets the words of the contract, not a 404. */
const maxParamLength = 2048

/** Puts the server together. It does not listen yet; tests may `inject`. */
export async function buildApp(options: AppOptions, registered = plugins): Promise<FastifyInstance> {
  const { requestTimeoutMs = defaultRequestTimeoutMs } = options
  const now = options.now ?? Date.now
  const monotonicNow = options.monotonicNow ?? options.now ?? (() => performance.now())
  const retention = createRetentionClock({ store: options.store, log: options.log, now, monotonicNow })
  const warnRarely = createRareWarning(options.log, now)
  const load = createLoad({ log: options.log })
  const dispatch = createDispatch({
    load,
    timeoutMs: requestTimeoutMs,
    tls: options.settings.tls,
    log: options.log,
    connections: {
      // With any other setting, the connections of many visitors may come from one proxy.
      isProxy() {
        const failure = 'Whether connections come from a proxy could not be found out; each address is limited:'
        const isProxy = () => readSite(options.store).web_real_ip_header !== usePeerAddress
        return askSafely(isProxy, { fallback: false, log: options.log, failure })
      },
      onRefusal: warnRarely,
      limits: options.connectionLimits,
    },
    replies: options.replyLimits,
  })
  const app = fastify({
    logger: false,
    // Routes ask for more where they need it.
    bodyLimit: bodyLimits.small,
    forceCloseConnections: true,
    serverFactory: dispatch.serverFactory,
    schemaController: noCompilers,
    routerOptions: { maxParamLength, onBadUrl: refuseBadUrl },
  })
  app.decorate('dispatch', dispatch)
  app.decorate('load', load)
  app.addHook('onListen', async () => {
    load.start()
    retention.start()
  })
  app.addHook('preClose', async () => {
    load.stop()
    retention.stop()
    dispatch.close()
  })
  const pluginOptions = {
    ...options,
    providers: options.providers ?? new Map(),
    now,
    retentionNow: retention.now,
    warnRarely,
    onSignIn: options.onSignIn ?? (() => {}),
  }
  for (const plugin of registered) await app.register(plugin, pluginOptions)
  return app
}

/** An address that cannot be decoded, such as `%zz`, reaches no route and no hook. */
function refuseBadUrl(_path: string, _request: unknown, response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'application/json; charset=utf-8' }).end('{"error":"400 Bad Request"}')
}
