import { setImmediate as nextTurn } from 'node:timers/promises'
import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { alertsPlugin, backtestPlugin } from '../../../server/alerts/alertsPlugin.ts'
import { registerCrud } from '../../../server/api/crud.ts'
import { entityHooksPlugin } from '../../../server/api/crudPlugin.ts'
import type { HooksByEntity } from '../../../server/api/entityHooks.ts'
import { auditPlugin } from '../../../server/audit/auditPlugin.ts'
import { accountPlugin } from '../../../server/auth/account/accountPlugin.ts'
import { createAuth } from '../../../server/auth/auth.ts'
import { createOnlineUsers, type OnlineUsers } from '../../../server/auth/blocking/onlineUsers.ts'
import { proofsPlugin } from '../../../server/auth/proofs/proofsPlugin.ts'
import { createLoad } from '../../../server/concurrency/load.ts'
import type { History } from '../../../server/db/history/openHistory.ts'
import type { Store } from '../../../server/db/store.ts'
import { ddnsPlugin } from '../../../server/ddns/ddnsPlugin.ts'
import { eventsPlugin } from '../../../server/events/eventsPlugin.ts'
import { createDispatch } from '../../../server/http/dispatch.ts'
import { registerOpenapi } from '../../../server/http/routes/openapi.ts'
import { incidentSourcesPlugin } from '../../../server/incidents/incidentSources.ts'
import { incidentsPlugin } from '../../../server/incidents/incidentsPlugin.ts'
import { inspectPlugin } from '../../../server/inspect/inspectPlugin.ts'
import { snapshotsPlugin } from '../../../server/inspect/snapshots/snapshotsPlugin.ts'
import { livePlugin } from '../../../server/machines/live/livePlugin.ts'
import type { Machines } from '../../../server/machines/machines.ts'
import { machinesPlugin } from '../../../server/machines/machinesPlugin.ts'
import { maintenancePlugin } from '../../../server/maintenance/maintenancePlugin.ts'
import { natHooks, natPlugin } from '../../../server/nat/natPlugin.ts'
import type { Deliveries } from '../../../server/notifications/deliveries.ts'
import type { NotificationServices, Notifications } from '../../../server/notifications/notifications.ts'
import { notificationsPlugin } from '../../../server/notifications/notificationsPlugin.ts'
import { outboundPlugin } from '../../../server/outbound/privateTargets.ts'
import type { Person } from '../../../server/person.ts'
import type { Services } from '../../../server/services/services.ts'
import { servicesPlugin } from '../../../server/services/servicesPlugin.ts'
import type { Tasks } from '../../../server/tasks/tasks.ts'
import { tasksPlugin } from '../../../server/tasks/tasksPlugin.ts'
import { ApiError } from '../../../server/wire/apiCall.ts'
import { allows, type Rule } from '../../../src/schemas/define/access.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { emptyStore, isOnPostgres, partsFor } from '../server/emptyStore.ts'
import { openServers } from '../server/openServers.ts'
import { createTestHost } from '../server/testHost.ts'

export const admin: Person = { id: 1, username: 'admin', role: 0 }
export const member: Person = { id: 2, username: 'member', role: 1 }

export interface DataApp {
  app: FastifyInstance
  store: Store
  machines: Machines
  tasks: Tasks
  notifications: Notifications
  deliveries: Deliveries
  services: Services
  online: OnlineUsers
  /** A call as somebody; a string is sent as it is, anything else as JSON. `null` as person: nobody is signed in. */
  call(method: string, path: string, body?: unknown, person?: Person | null): Promise<Reply>
  /** Waits until all that was written is durable, and what has waited for that has begun; a call does so too. */
  settled(): Promise<void>
}

export interface Reply {
  status: number
  body: unknown
}

interface Options {
  /** Only these, without the plugins of other entities. Default: all. */
  entities?: readonly Entity[]
  /** Hooks of entities that the server does not have. */
  hooks?: HooksByEntity
  now?: () => number
  tickMs?: number
  /** Whether what members configure may call addresses behind the server. */
  allowPrivateTargets?: boolean
  /** The address people use, as `PUBLIC_URL` sets it. */
  publicUrl?: URL
  /** Where metrics over time are kept. Default: in memory, for a month. */
  history?: History
  /** The pause between two tries to send a notification. */
  pause?: NotificationServices['pause']
}

/** Request bodies, sockets and access checks, but no sessions: the header `x-person` names the caller. */
const openAccess = fp(
  async (app: FastifyInstance, { store, now }: { store: Store; now: () => number }) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    app.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof ApiError)) throw error
      return reply.code(error.status).send({ error: error.message })
    })
    await registerOpenapi(app, '1.2.3')
    await app.register(websocket)
    const people = [admin, member]
    // People without a session are not signed out.
    const auth = createAuth({ store, now })
    app.decorate('auth', { ...auth, isAlive: () => true })
    app.decorate('grantsOf', auth.roles.grantsOf)
    app.decorate('onlineUsers', createOnlineUsers())
    app.decorate('roleOf', (id: number) => people.find((person) => person.id === id)?.role)
    app.decorate('usernameOf', (id: number) => people.find((person) => person.id === id)?.username)
    app.decorateRequest('address', '')
    app.addHook('onRequest', async (request) => {
      request.address = request.ip
    })
    app.decorate('guard', (rule: Rule) => async (request: FastifyRequest) => {
      const text = request.headers['x-person']
      request.person = typeof text === 'string' ? JSON.parse(text) : undefined
      if (!isPublic(rule) && !request.person) throw new ApiError('ApiErrorUnauthorized')
      if (!allows(request.person?.role, rule)) throw new ApiError('permission denied')
    })
  },
  { name: 'http' },
)

const isPublic = (rule: Rule) => rule === 'anyone' || rule === 'visitor'

/** The plugins that the real server has in place of `openAccess`. */
const replaced = ['auth', 'security'].map((name) => fp(async () => {}, { name }))

const base = [entityHooksPlugin, openAccess, ...replaced, auditPlugin] as const
const others = [
  proofsPlugin,
  outboundPlugin,
  accountPlugin,
  machinesPlugin,
  natPlugin,
  maintenancePlugin,
  notificationsPlugin,
  inspectPlugin,
  snapshotsPlugin,
  incidentsPlugin,
  tasksPlugin,
  alertsPlugin,
  servicesPlugin,
  ddnsPlugin,
  eventsPlugin,
  incidentSourcesPlugin,
  backtestPlugin,
  livePlugin,
] as const

const log = {
  info: () => {},
  warn: () => {},
  error: (text: string, cause: unknown) => {
    throw new Error(text, { cause })
  },
}

/** The data half of the server over an in-memory store, for people without a session. */
export async function dataApp({
  entities,
  hooks,
  now = Date.now,
  tickMs,
  allowPrivateTargets,
  publicUrl,
  history,
  pause,
}: Options = {}): Promise<DataApp> {
  const store = await emptyStore()
  const app = fastify()
  const load = createLoad({ log })
  app.decorate('load', load)
  app.decorate('dispatch', {
    ...createDispatch({
      timeoutMs: 60_000,
      log,
      load,
      connections: { isProxy: () => false, onRefusal: () => {} },
    }),
    forward: () => {},
  })
  const settings = { host: '127.0.0.1', allowPrivateTargets, publicUrl }
  const { cluster: _withoutNodes, ...parts } = partsFor(store, now)
  const own = { store, log, now, retentionNow: now, settings, tickMs, pause, zone: 'UTC', onSignIn: () => {} }
  const options = { ...parts, ...own, ...(history && { history }) }
  const registered = entities ? [...base, machinesPlugin] : [...base, ...others]
  for (const plugin of registered) await app.register(plugin as unknown as FastifyPluginAsync<object>, options)
  // The recorded server reserves no host name but its own address.
  app.entityHooks.set('nat', natHooks(['127.0.0.1']))
  registerCrud(app, { store, guard: app.guard, hooks: { ...Object.fromEntries(app.entityHooks), ...hooks }, entities })
  // In memory it may go on for ever: its store ends with it.
  if (isOnPostgres) openServers.add(app)
  const { machines, tasks, notifications, deliveries, services, onlineUsers: online } = app

  async function settled(): Promise<void> {
    await store.durable(60_000)
    await nextTurn()
  }

  async function call(method: string, path: string, body?: unknown, person: Person | null = admin): Promise<Reply> {
    const response = await app.inject({
      method: method as 'GET',
      url: path.startsWith('/') ? path : `/api/v1/${path}`,
      headers: { 'content-type': 'application/json', ...(person && { 'x-person': JSON.stringify(person) }) },
      payload: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    })
    await settled()
    const isJson = response.headers['content-type']?.toString().startsWith('application/json')
    return { status: response.statusCode, body: isJson ? response.json() : response.body }
  }

  return { app, store, machines, tasks, notifications, deliveries, services, online, call, settled }
}

/** With one machine, which has reported: the server 1. */
export async function withServer(): Promise<DataApp> {
  const data = await dataApp()
  const host = createTestHost()
  data.machines.add(host)
  host.report()
  return data
}

/** With the server 1 and the notifier group 1. */
export async function withServerAndGroup(): Promise<DataApp> {
  const data = await withServer()
  await data.call('POST', 'notification-group', { name: 'on call' })
  return data
}
