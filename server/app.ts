import type { ServerResponse } from 'node:http'
import cookie from '@fastify/cookie'
import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance } from 'fastify'
import type { AlertTimes } from './alerts/alerts.ts'
import { createAllHooks } from './allHooks.ts'
import { registerCalls } from './api/actions.ts'
import { registerCrud } from './api/crud.ts'
import { type Audit, openAudit } from './audit/auditLog.ts'
import { recordRequests } from './audit/recordRequests.ts'
import { createAuth } from './auth/auth.ts'
import { createGuard } from './auth/guard.ts'
import type { Providers } from './auth/oauth2/providers.ts'
import { registerOauth2 } from './auth/oauth2/routes.ts'
import { createOnlineUsers } from './auth/onlineUsers.ts'
import { registerOwnSessions } from './auth/ownSessions.ts'
import { registerProfileUpdate } from './auth/profileUpdate.ts'
import { registerAccount, userTemplates } from './auth/routes.ts'
import type { History } from './db/history/openHistory.ts'
import type { Store } from './db/store.ts'
import { createDdns } from './ddns/ddns.ts'
import { createProviders } from './ddns/providers/index.ts'
import { registerDdns } from './ddns/routes.ts'
import { frontOf, leadSocketsPast } from './http/dispatch.ts'
import { answerErrors, answerUnknown } from './http/errorReplies.ts'
import { registerOpenapi } from './http/routes/openapi.ts'
import { watchTheDoor } from './http/securityHooks.ts'
import { inlineScriptHashes, isBuilt, registerConsole, registerWayIn } from './http/staticFiles.ts'
import type { Log } from './log.ts'
import { registerLive } from './machines/live/liveSocket.ts'
import { createMachines, type Machines } from './machines/machines.ts'
import { registerServerOrders } from './machines/orders.ts'
import { ownHostsOf } from './nat/hostName.ts'
import { createNat, type NatServices } from './nat/nat.ts'
import { createPrivateTargetPolicy } from './outbound/privateTargets.ts'
import { registerServices } from './services/routes.ts'
import { createServices } from './services/services.ts'
import { registerSessions, type SessionServices } from './sessions/routes.ts'
import type { Settings } from './settings.ts'
import { registerSiteSettings } from './site/settingsRoutes.ts'
import { ownTimezone } from './site/timeZone.ts'
import { registerTasks } from './tasks/routes.ts'
import { createTasks } from './tasks/tasks.ts'
import { watch, watchAlerts } from './watching.ts'

export interface Services {
  store: Store
  log: Log
  settings: Pick<Settings, 'host' | 'publicUrl' | 'allowPrivateTargets'>
  /** Version of this server, as administrators see it. */
  version: string
  /** Where people can sign in beside here. Default: nowhere. */
  providers?: Providers
  /** Folder of the built console. Without it only the API is served. */
  dist?: string
  /** The monitored machines. Default: those in the store, none of which reports. */
  machines?: Machines
  /** Where figures over time are kept. Default: in memory. */
  history?: History
  /** Where deeds are written down. Default: in memory, for nobody. */
  audit?: Audit
  /** The clock, in milliseconds since 1970. */
  now?: () => number
  /** Pings and looks of terminals and file managers. Default: as the contract has them. */
  socketTimes?: SessionServices['times']
  /** When alert rules are checked. Default: as the contract has it. */
  alertTimes?: AlertTimes
  /** How long and how many forwarded visits may take. */
  nat?: Pick<NatServices, 'times' | 'limits'>
  /** Milliseconds for a whole request to arrive; a minute by default. */
  patienceMs?: number
  /** Told of every good sign-in. */
  onSignIn?: (userId: number) => void
}

/** Bytes. The largest thing that people send as a body is a text they typed. */
const bodyLimit = 8 * 1024 * 1024
/** Bytes of one message of a socket. */
const messageLimit = 8 * 1024 * 1024
/** So that slow requests cannot take all places. */
const usualPatienceMs = 60_000
/** Characters. A number of any length gets the words of the contract, not a 404. */
const pathPartLimit = 2048

/** Puts the server together. It does not listen yet; tests may `inject`. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { store, log, settings, version, providers = new Map(), now = Date.now, onSignIn = () => {} } = services
  const { patienceMs = usualPatienceMs } = services
  const machines = services.machines ?? createMachines({ store, now })
  const audit = services.audit ?? openAudit()
  const auth = createAuth({ store, now, publicUrl: settings.publicUrl, providers: providers.keys() })
  const dist = services.dist && isBuilt(services.dist) ? services.dist : undefined

  const nat = createNat({ store, machines, users: auth.users, waf: auth.waf, settings, ...services.nat })
  const app = fastify({
    logger: false,
    bodyLimit,
    forceCloseConnections: true,
    serverFactory: frontOf(nat, patienceMs),
    routerOptions: { maxParamLength: pathPartLimit, onBadUrl: refuseBadUrl },
  })
  takeBodiesAsText(app)
  await registerOpenapi(app, version)
  await app.register(cookie)
  // Before the door: what that refuses must be known for a socket, or its connection would stay open.
  await registerSockets(app)
  leadSocketsPast(app, nat)
  const door = watchTheDoor(app, { auth, log, settings, scriptHashes: dist ? inlineScriptHashes(dist) : [] })
  answerErrors(app, log)
  recordRequests(app, audit)
  answerUnknown(app, dist !== undefined)

  const guard = createGuard(auth)
  app.decorate('guard', guard)
  const account = { auth, audit, onSignIn }
  registerAccount(app, { ...account, version, providers: [...providers.keys()], proxyIsUnheard: door.proxyIsUnheard })
  registerOauth2(app, { ...account, providers, settings, log, now })
  registerOwnSessions(app, auth)
  const online = createOnlineUsers()
  registerProfileUpdate(app, { auth, online, letIn: auth.bindings.letIn, now })
  registerSiteSettings(app, { store, userTemplates })
  const roleOf = (id: number) => auth.users.get(id)?.role
  const mayCallPrivateTargets = createPrivateTargetPolicy({ roleOf, allowPrivateTargets: settings.allowPrivateTargets })
  const watchServices = { store, machines, mayCallPrivateTargets, roleOf, log, now }
  const watching = watch(app, watchServices)
  const { notifications, deliveries, alarms } = watching
  const hooks = createAllHooks({
    machines,
    usernameOf: (id) => auth.users.get(id)?.username,
    accounts: { auth, online, now },
    ownHosts: ownHostsOf(settings),
    audit,
    mayCallPrivateTargets,
    deliveries,
    alarms,
  })
  registerCrud(app, { store, guard, hooks })
  registerCalls(app, { waf: auth.waf, online })
  registerServerOrders(app, { store, machines })
  const tasks = createTasks({ store, machines, roleOf, zone: ownTimezone(), log, notifications, now })
  registerTasks(app, tasks)
  const alerts = watchAlerts(app, { ...watchServices, ...watching, trigger: tasks.trigger, times: services.alertTimes })
  registerServices(app, {
    ...{ store, roleOf, now },
    services: createServices({ ...watchServices, notifications, trigger: tasks.trigger, history: services.history }),
    cycleTransferStats: alerts.cycleTransferStats,
  })
  const ddns = { store, machines, roleOf, mayCallPrivateTargets, providers: createProviders(now), log, now }
  registerDdns(app, createDdns(ddns))
  registerLive(app, {
    store,
    machines,
    online,
    guard,
    addressOf: (request) => request.address,
    isAlive: auth.sessions.isAlive,
  })
  registerSessions(app, {
    ...{ store, machines, guard, audit, log, now },
    isAlive: auth.sessions.isAlive,
    isBlocked: auth.waf.isBlocked,
    times: services.socketTimes,
  })
  registerWayIn(app)
  if (dist) await registerConsole(app, dist)
  return app
}

/** An address that cannot be decoded, as `%zz`, reaches no route and no hook. */
function refuseBadUrl(_path: string, _request: unknown, response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'application/json; charset=utf-8' }).end('{"error":"400 Bad Request"}')
}

/** Everything is JSON whatever it calls itself, and comes as text: those who read it say in its words what is wrong. */
function takeBodiesAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async ({ raw }) => {
    raw.headers['content-type'] = 'application/json'
  })
}

async function registerSockets(app: FastifyInstance): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: messageLimit, perMessageDeflate: false },
    // Sockets end without a close frame, as the contract has it; waiting for theirs would hold up the end.
    preClose: (done) => {
      for (const socket of app.websocketServer.clients) socket.terminate()
      app.websocketServer.close(() => done())
    },
  })
}
