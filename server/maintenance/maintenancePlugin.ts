import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { zoneOffset } from '../../src/domain/cron/timeZone.ts'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { silenceEndpoints as endpoints } from '../../src/schemas/endpoints/silence.ts'
import { maintenanceWindow } from '../../src/schemas/maintenanceWindow.ts'
import type { mute } from '../../src/schemas/mute.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { keyedTable } from '../db/writeBehind.ts'
import { entityTable } from '../entities/entityTable.ts'
import { route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { serversOfService } from '../machines/serversOfService.ts'
import { isAdmin, isOwner, makerOf, may, owns, type Person, teamOfOwner } from '../person.ts'
import { messagesOf, namesText } from '../site/messages.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { ApiError, timestamp, withoutEmpty } from '../wire/apiCall.ts'
import { type CoveredRecords, createCoveredRecords } from './coveredRecords.ts'
import {
  createMutes,
  createOpenWindows,
  createSilences,
  currentOccurrence,
  endOf,
  type Mutes,
  type MuteTarget,
  nextOccurrence,
  type OpenWindow,
  type OpenWindows,
  type Silences,
  zoneOf,
} from './silence.ts'

declare module 'fastify' {
  interface FastifyInstance {
    silences: Silences
  }
}

interface MaintenanceOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** The zone of windows that name none. Default: this server's. */
  zone?: string
}

/** Milliseconds between two looks at which windows and mutes have begun or ended; an ended mute does not count till then. */
const checkMs = 2000

/** Maintenance windows and mutes: what is silent now, for the features that notify people. */
export const maintenancePlugin = fp(
  async (app: FastifyInstance, { store, log, now, zone = ownTimezone() }: MaintenanceOptions) => {
    const { roleOf, grantsOf, usernameOf, serverAccess } = app
    const windows = createOpenWindows({ store, roleOf, zone, now })
    const mutes = createMutes({ store, roleOf, grantsOf, now })
    const servers = entityTable(store, server)
    const services = entityTable(store, service)
    app.decorate('silences', createSilences(windows, mutes))
    app.entityHooks.set(
      'maintenance-window',
      maintenanceWindowHooks(createCoveredRecords(store, roleOf), { now, zone }),
    )
    app.entityHooks.set('mute', muteHooks(mutes, { now, usernameOf }))

    function seesServer(id: number, person: Person | undefined): boolean {
      const row = servers.get(id)
      return row !== undefined && serverAccess.isListed(person, row)
    }

    function seesService(id: number, person: Person | undefined): boolean {
      const row = services.get(id)
      return row !== undefined && may(person, 'see', row, serversOfService(row))
    }

    route(app, 'silences', endpoints.silences, ({ person }) => ({
      windows: windows
        .all()
        .map(({ row, until, ...covered }) => ({
          id: row.id,
          name: String(row.name),
          until: timestamp(until),
          servers: [...covered.servers].filter((id) => seesServer(id, person)),
          services: [...covered.services].filter((id) => seesService(id, person)),
        }))
        .filter(({ servers, services }) => servers.length + services.length > 0),
      mutes: mutes
        .active()
        .filter(
          (row) =>
            owns(person, row) ||
            (!row.rule_id &&
              (row.service_id ? seesService(row.service_id, person) : seesServer(row.server_id, person))),
        )
        .map(({ id, server_id, rule_id, service_id, ends_at }) => ({
          id,
          server_id,
          rule_id,
          service_id,
          ...(ends_at ? { until: String(ends_at) } : {}),
        })),
    }))

    const removal = repeat(mutes.removeEnded, {
      intervalMs: checkMs,
      log,
      failure: 'Mutes that have ended could not be deleted:',
    })
    app.addHook('onListen', async () => removal.start())
    app.addHook('onClose', async () => removal.stop())
  },
  { name: 'maintenance', dependencies: ['entity-hooks', 'machines', 'security'] },
)

/** @param now milliseconds since 1970 @param zone the zone of windows that name none */
const maintenanceWindowHooks = (
  covered: CoveredRecords,
  { now, zone }: { now: () => number; zone: string },
): EntityHooks<typeof maintenanceWindow> => ({
  notFoundError: (id) => `${maintenanceWindow.name} id ${id} does not exist`,
  present(encoded, row) {
    const open = currentOccurrence(row, now(), zone)
    const next = nextOccurrence(row, now(), zone)
    return {
      ...encoded,
      ...(open && { open_until: timestamp(open.to) }),
      ...(next && { opens_at: timestamp(next.from) }),
    }
  },
  // The member did not choose servers that join a group or get a tag later.
  narrowed: (row) => ({ servers: [...covered.serversOf(row)], server_groups: [], tags: '' }),
})

/** @param now milliseconds since 1970 */
const muteHooks = (
  mutes: Mutes,
  { now, usernameOf }: { now: () => number; usernameOf: (id: number) => string | undefined },
): EntityHooks<typeof mute> => ({
  namesWith: 'act',
  // An alarm: on a server of theirs, whoever made the rule.
  mayName: (field, { server_id }, { person }) =>
    field === 'rule_id' && server_id > 0 && person?.grants?.has('act', [server_id]) === true,
  validate(form) {
    const { server_id, rule_id, service_id } = form
    if (!server_id && !rule_id && !service_id) throw new ApiError('server_id: choose a server, a rule or a service')
    if (form.ends_at && endOf(form) <= now()) throw new ApiError('ends_at: choose a time that is still to come')
    if (!form.ends_at && !mutes.hasTrouble({ server_id, rule_id, service_id })) {
      throw new ApiError('ends_at: nothing is wrong that could recover: choose when the mute ends')
    }
    return form
  },
  teamOf: (form, { store, person }) => teamOfMuted(form, store, person),
  present: (encoded, row) => ({ ...encoded, ...withoutEmpty({ username: usernameOf(makerOf(row)) }) }),
})

/**
 * The team that all of what is muted belongs to, for somebody in it; else 0. So it is silent for the whole team, and each
 * of them can lift the mute.
 */
function teamOfMuted(target: MuteTarget, store: Store, person: Person | undefined): number {
  if (isAdmin(person)) return 0
  const named = [
    entityTable(store, server).get(target.server_id),
    entityTable(store, alertRule).get(target.rule_id),
    entityTable(store, service).get(target.service_id),
  ]
  const [owner = 0, ...others] = new Set(named.flatMap((row) => row?.user_id ?? []))
  return others.length === 0 && isOwner(person, owner) ? teamOfOwner(owner) : 0
}

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
