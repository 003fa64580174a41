import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { zoneOffset } from '../../src/domain/cron/timeZone.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import { repeat } from '../concurrency/repeat.ts'
import { keyedTable } from '../db/keyedTable.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import { messagesOf } from '../site/messages.ts'
import { namesText } from '../site/namesText.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { type OpenWindow, type OpenWindows, zoneOf } from './openWindows.ts'

declare module 'fastify' {
  interface FastifyInstance {
    windowNotifications: WindowNotifications
  }
}

/** A window whose beginning was announced, as it was then; saved, so that its end is announced after a restart too. */
interface Announced {
  window_id: number
  group_id: number
  name: string
}

export interface WindowNotifications {
  /** Sends what is due. The timer calls it every few seconds. */
  check(): void
}

interface WindowNotificationsOptions {
  store: Store
  windows: Pick<OpenWindows, 'all'>
  send: (notification: { groupId: number; ownerId?: number; message: string }) => void
  /** The zone of windows that name none. */
  zone: string
}

/** Names in a notification; of more, only how many there are. */
const maxNames = 10

/** Tells the notifier group of a window when it begins and when it ends, by time or because it was changed. */
export function createWindowNotifications({
  store,
  windows,
  send,
  zone,
}: WindowNotificationsOptions): WindowNotifications {
  const messages = messagesOf(store)
  const columns = [
    { name: 'window_id', type: 'INTEGER', unique: true },
    { name: 'group_id', type: 'INTEGER' },
    { name: 'name', type: 'TEXT' },
  ] as const
  const definition = { name: 'announced_window', columns }
  const { saved, save } = keyedTable<Announced & { id: number }, number>(
    store,
    definition,
    ({ window_id }) => window_id,
  )

  const namesOf = ({ servers, services }: OpenWindow) =>
    [
      ...[...servers].map((id) => entityTable(store, server).get(id)),
      ...[...services].map((id) => entityTable(store, service).get(id)),
    ].flatMap((row) => (row ? String(row.name) : []))

  function begun(window: OpenWindow): string {
    const { row, until } = window
    const windowZone = zoneOf(row, zone)
    const end = new Date(until + zoneOffset(windowZone, until)).toISOString().slice(0, 16).replace('T', ' ')
    const names = namesText(messages, namesOf(window), maxNames, (name) => name)
    return messages('window_began', { window: String(row.name), end, zone: windowZone, names })
  }

  return {
    check() {
      const open = new Map(windows.all().map((window) => [window.row.id, window]))
      for (const [id, { group_id, name }] of [...saved()]) {
        if (open.has(id)) continue
        save([[id, undefined]])
        send({ groupId: group_id, message: messages('window_ended', { window: name }) })
      }
      for (const [id, window] of open) {
        const { name, notification_group_id } = window.row
        if (!notification_group_id || saved().has(id)) continue
        const announced = { window_id: id, group_id: notification_group_id as number, name: String(name) }
        save([[id, announced]])
        send({ groupId: announced.group_id, ownerId: window.row.user_id, message: begun(window) })
      }
    },
  }
}

interface WindowNotificationsPluginOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** The zone of windows that name none. Default: this server's. */
  zone?: string
}

/** Milliseconds. */
const checkMs = 2000

/** Notifications at the beginning and the end of maintenance windows, while the server listens. */
export const windowNotificationsPlugin = fp(
  async (app: FastifyInstance, { store, zone = ownTimezone(), log }: WindowNotificationsPluginOptions) => {
    const notifications = createWindowNotifications({
      store,
      zone,
      windows: app.silences.windows,
      send: app.notifications.send,
    })
    app.decorate('windowNotifications', notifications)
    const checks = repeat(notifications.check, {
      intervalMs: checkMs,
      log,
      failure: 'Maintenance windows could not be announced:',
    })
    app.addHook('onListen', async () => checks.start())
    app.addHook('onClose', async () => checks.stop())
  },
  { name: 'window-notifications', dependencies: ['maintenance', 'notifications'] },
)
