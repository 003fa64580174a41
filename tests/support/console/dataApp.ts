import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance } from 'fastify'
import { openAlarms } from '../../../server/alerts/alarms.ts'
import { createAllHooks } from '../../../server/allHooks.ts'
import { registerCalls } from '../../../server/api/actions.ts'
import { registerCrud } from '../../../server/api/crud.ts'
import type { HooksByEntity } from '../../../server/api/entityHooks.ts'
import { openAudit } from '../../../server/audit/auditLog.ts'
import { createAuth } from '../../../server/auth/auth.ts'
import { createOnlineUsers, type OnlineUsers } from '../../../server/auth/onlineUsers.ts'
import { openStore, type Store } from '../../../server/db/store.ts'
import type { Guard } from '../../../server/http/routes/guard.ts'
import { registerOpenapi } from '../../../server/http/routes/openapi.ts'
import { registerLive } from '../../../server/machines/live/liveSocket.ts'
import { createMachines, type Machines } from '../../../server/machines/machines.ts'
import { registerServerOrders } from '../../../server/machines/orders.ts'
import { type Deliveries, openDeliveries } from '../../../server/notifications/deliveries.ts'
import {
  createNotifications,
  type NotificationServices,
  type Notifications,
} from '../../../server/notifications/notifications.ts'
import { createPrivateTargetPolicy } from '../../../server/outbound/privateTargets.ts'
import type { Person } from '../../../server/person.ts'
import { registerServices } from '../../../server/services/routes.ts'
import { createServices, type Services } from '../../../server/services/services.ts'
import { registerTasks } from '../../../server/tasks/routes.ts'
import { createTasks, type Tasks } from '../../../server/tasks/tasks.ts'
import { ApiError } from '../../../server/wire/apiError.ts'
import { allows } from '../../../src/schemas/define/access.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
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
}

export interface Reply {
  status: number
  body: unknown
}

interface Options {
  entities?: readonly Entity[]
  /** Hooks of entities that the server does not have. */
  hooks?: HooksByEntity
  now?: () => number
  tickMs?: number
  /** Whether what members configure may call addresses behind the server. */
  allowPrivateTargets?: boolean
  /** The pause between two tries of a notice. */
  pause?: NotificationServices['pause']
}

/** The data half of the server over an in-memory store. Who asks is what the header `x-person` says. */
export async function dataApp({
  entities,
  hooks,
  now,
  tickMs,
  allowPrivateTargets,
  pause,
}: Options = {}): Promise<DataApp> {
  const store = openStore(':memory:')
  const machines = createMachines({ store, now })
  const online = createOnlineUsers()
  const app = fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof ApiError)) throw error
    return reply.code(error.status).send({ error: error.message })
  })
  await registerOpenapi(app, '1.2.3')
  await app.register(websocket)
  const guard: Guard = (rule) => async (request) => {
    const text = request.headers['x-person']
    request.person = typeof text === 'string' ? JSON.parse(text) : undefined
    if (rule !== 'anyone' && !request.person) throw new ApiError('ApiErrorUnauthorized')
    if (!allows(request.person?.role, rule)) throw new ApiError('permission denied')
  }
  app.decorate('guard', guard)
  const names: Record<number, string> = { [admin.id]: admin.username, [member.id]: member.username }
  const auth = createAuth({ store, now: now ?? Date.now })
  const roleOf = (id: number) => [admin, member].find((person) => person.id === id)?.role
  const log = {
    error: (text: string, cause: unknown) => {
      throw new Error(text, { cause })
    },
  }
  const mayCallPrivateTargets = createPrivateTargetPolicy({ roleOf, allowPrivateTargets })
  const deliveries = openDeliveries({ store, now, onFailure: (cause) => log.error('deliveries', cause) })
  const notifications = createNotifications({ store, machines, mayCallPrivateTargets, deliveries, log, now, pause })
  const allHooks = createAllHooks({
    machines,
    usernameOf: (id) => names[id],
    accounts: { auth, online, now: now ?? Date.now },
    ownHosts: ['127.0.0.1'],
    audit: openAudit(),
    mayCallPrivateTargets,
    deliveries,
    alarms: openAlarms(store, (cause) => log.error('alarms', cause)),
  })
  registerCrud(app, { store, guard, hooks: { ...allHooks, ...hooks }, entities })
  if (!entities) registerCalls(app, { waf: auth.waf, online })
  registerServerOrders(app, { store, machines })
  const tasks = createTasks({ store, machines, roleOf, zone: 'UTC', log, notifications, now })
  if (!entities) registerTasks(app, tasks)
  const watching = { store, machines, roleOf, mayCallPrivateTargets, notifications, trigger: tasks.trigger, log, now }
  const services = createServices(watching)
  const serviceRoutes = { store, roleOf, services, cycleTransferStats: () => undefined, now: now ?? Date.now }
  if (!entities) registerServices(app, serviceRoutes)
  registerLive(app, { store, machines, online, guard, addressOf: ({ ip }) => ip, tickMs })

  async function call(method: string, path: string, body?: unknown, person: Person | null = admin): Promise<Reply> {
    const response = await app.inject({
      method: method as 'GET',
      url: path.startsWith('/') ? path : `/api/v1/${path}`,
      headers: { 'content-type': 'application/json', ...(person && { 'x-person': JSON.stringify(person) }) },
      payload: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    })
    const isJson = response.headers['content-type']?.toString().startsWith('application/json')
    return { status: response.statusCode, body: isJson ? response.json() : response.body }
  }

  return { app, store, machines, tasks, notifications, deliveries, services, online, call }
}

/** With one machine, which has reported: the server 1. */
export async function withServer(): Promise<DataApp> {
  const data = await dataApp()
  const host = createTestHost()
  data.machines.add(host)
  host.tell()
  return data
}

/** With the server 1 and the notifier group 1. */
export async function withServerAndGroup(): Promise<DataApp> {
  const data = await withServer()
  await data.call('POST', 'notification-group', { name: 'on call' })
  return data
}
