import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../../server/app.ts'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import type { Store } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { alertRule } from '../../../src/schemas/alertRule.ts'
import { escalation } from '../../../src/schemas/escalation.ts'
import { notification } from '../../../src/schemas/notification.ts'
import { notificationGroup } from '../../../src/schemas/notificationGroup.ts'
import { server } from '../../../src/schemas/server.ts'
import { service } from '../../../src/schemas/service.ts'
import { createTestHost } from '../server/testHost.ts'

/** What happens to a fleet: what is true at a time, in seconds since its beginning. Servers and services count from 0. */
export interface Story {
  servers: number
  /** The server that each service is checked from, and the one that it stands on. */
  services: readonly { from: number; standsOn?: number }[]
  /** The server that another one stands on. */
  standsOn?: (server: number) => number | undefined
  isOnline: (server: number, second: number) => boolean
  answers: (service: number, second: number) => boolean
  /** Percent. */
  disk?: (server: number, second: number) => number
  /** What the rule about full disks says of its recovery. */
  recovery?: { recovery_max: number; recovery_duration: number }
  /** After how many minutes the plan of all services tells a second notifier. Default: there is no plan. */
  escalation?: readonly number[]
}

/** The whole server with a fleet on a simulated clock, without a port and without timers. */
export interface SimulatedFleet {
  app: FastifyInstance
  clock: { now: number }
  /** Lets seconds pass, in steps of three; what is sent meanwhile arrives. */
  pass(seconds: number): Promise<void>
  /** What waits is sent. */
  drain(): Promise<void>
  close(): Promise<void>
}

interface Options {
  store: Store
  story: Story
  /** Where messages go. */
  receiver: string
  /** The code of `messages` of the notifier group. */
  messages: number
  clock: { now: number }
  /** Milliseconds since 1970: the beginning of the story. */
  beginning: number
  /** Whether the store is from an earlier start. */
  isRestart?: boolean
  onError: (text: string, error: unknown) => void
}

export const stepSeconds = 3
const gigabyte = 1e9

export async function simulateFleet(options: Options): Promise<SimulatedFleet> {
  const { store, story, clock, beginning, onError } = options
  const now = () => clock.now
  const second = () => (clock.now - beginning) / 1000
  const machines = createMachines({ store, now })
  const hosts = Array.from({ length: story.servers }, (_, index) =>
    createTestHost({ uuid: `machine-${index}`, name: `server-${index}` }),
  )
  /** What waits for a time of the simulated clock. */
  const waiting = new Set<{ at: number; end: () => void }>()
  const pause = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const entry = { at: clock.now + ms, end: resolve }
      waiting.add(entry)
      signal.addEventListener('abort', () => {
        waiting.delete(entry)
        reject(signal.reason)
      })
    })
  const log = { info() {}, warn() {}, error: onError }
  const settings = { host: '127.0.0.1', allowPrivateTargets: true }
  if (!options.isRestart) addUser(usersIn(store), { username: 'admin', password: '-', role: 0, now: clock.now })
  const app = await buildApp({ store, settings, log, version: '1.2.3', machines, now, pause })
  for (const [index, host] of hosts.entries()) {
    machines.add(host)
    host.reply = async ({ target }) =>
      story.answers(Number(target.split(/[-.]/)[1]), second())
        ? { outcome: 'up', delay: 1 }
        : { outcome: 'down', problem: 'connection refused' }
    if (story.isOnline(index, second())) report(index)
  }
  if (!options.isRestart) addRecords(options)
  await app.ready()
  app.notifications.start()

  function report(index: number): void {
    const used = (story.disk?.(index, second()) ?? 10) * (gigabyte / 100)
    hosts[index]?.report({ host: { disk_total: gigabyte }, state: { disk_used: used }, at: new Date(clock.now) })
  }

  const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

  function wake(): void {
    for (const entry of [...waiting]) {
      if (entry.at > clock.now) continue
      waiting.delete(entry)
      entry.end()
    }
  }

  async function step(): Promise<void> {
    clock.now += stepSeconds * 1000
    for (let index = 0; index < story.servers; index++) if (story.isOnline(index, second())) report(index)
    wake()
    await app.services.checker.tick()
    await app.services.checker.idle()
    await app.alerts.check()
    app.events.tick()
    app.incidents.tick()
    await turn()
  }

  return {
    app,
    clock,
    async pass(seconds) {
      for (let passed = 0; passed < seconds; passed += stepSeconds) await step()
    },
    async drain() {
      while (app.notifications.queuedCount() + waiting.size > 0) {
        await step()
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    },
    close: () => app.close(),
  }
}

function addRecords({ store, story, receiver, messages }: Options): void {
  const user_id = 1
  const [servers, services] = [entityTable(store, server), entityTable(store, service)]
  for (const { id } of servers.all()) {
    const parent = story.standsOn?.(id - 1)
    servers.update(id, { user_id, ...(parent !== undefined && { depends_on: [parent + 1] }) })
  }
  const addGroup = (name: string) => {
    const notifications = [
      entityTable(store, notification).insert({
        name,
        url: `${receiver}/page`,
        request_method: 2,
        request_type: 1,
        request_header: '',
        request_body: '{"text":"#NEZHA#"}',
        verify_tls: true,
        user_id,
      }),
    ]
    return entityTable(store, notificationGroup).insert({ name, notifications, messages, user_id })
  }
  const group = addGroup('all')
  const steps = story.escalation?.map((after_min) => ({ after_min, notification_group_id: group + 1 }))
  if (steps) addGroup('second')
  const plan = steps && entityTable(store, escalation).insert({ name: 'plan', steps, time_zone: 'UTC', user_id })
  const notified = { notification_group_id: group, user_id, updated_at: '2026-01-01T00:00:00Z' }
  const rules = entityTable(store, alertRule)
  const once = { enable: true, trigger_mode: 1, ...notified }
  rules.insert({ name: 'away', rules: [{ type: 'offline', duration: 10, cover: 0 }], ...once })
  const full = { type: 'disk', max: 90, duration: 10, cover: 0, ...story.recovery }
  rules.insert({ name: 'disk full', rules: [full], ...once })
  for (const [index, { from, standsOn }] of story.services.entries()) {
    services.insert({
      name: `service-${index}`,
      type: 3,
      target: `service-${index}.example:443`,
      duration: 30,
      cover: 1,
      skip_servers: { [from + 1]: true },
      notify: true,
      escalation_id: plan ?? 0,
      ...(standsOn !== undefined && { depends_on: [standsOn + 1] }),
      ...notified,
    })
  }
}
