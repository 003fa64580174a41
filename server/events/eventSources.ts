import type { FastifyInstance } from 'fastify'
import { roles } from '../../src/schemas/define/access.ts'
import { server } from '../../src/schemas/server.ts'
import type { Alarm } from '../alerts/alarms.ts'
import type { ChangeRow } from '../changes/changeLog.ts'
import type { Store } from '../db/store.ts'
import { keyedTable } from '../db/writeBehind.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import type { Machines } from '../machines/machines.ts'
import type { Silences } from '../maintenance/silence.ts'
import { endOf, isoTime } from '../webhooks/newEvent.ts'
import type { Emit } from './recipients.ts'

/** To be called with what no other feature announces. */
interface Sources {
  presence(server: ServerRow, isOnline: boolean): void
  change(change: ChangeRow): void
}

/** Emits an event for what other features announce. */
export function listenToFeatures(app: FastifyInstance, { store, emit }: { store: Store; emit: Emit }): Sources {
  const servers = entityTable(store, server)
  const ownsServer = (serverId: number, memberId: number) => servers.get(serverId)?.user_id === memberId

  app.alerts.onAlarm(({ kind, alarm }) => {
    const about = {
      about: `${alarm.server_name}: ${alarm.rule_name}`,
      isVisibleTo: (id: number) => id === alarm.owner_id || ownsServer(alarm.server_id, id),
    }
    if (kind === 'raised') emit({ type: 'alarm.raised', data: { alarm: alarmData(alarm) }, ...about })
    else {
      const ended_at = isoTime(alarm.ended_at ?? Date.now())
      const data = { alarm: { ...alarmData(alarm), ended_at, withdrawn: alarm.withdrawn } }
      emit({ type: 'alarm.resolved', data, ...about })
    }
  })

  app.services.checker.onStatus(({ service: { id, name, user_id }, change, seenFrom }) => {
    const [service, seen_from] = [{ id, name }, seenFrom]
    const about = { about: name, serviceId: id, isVisibleTo: (memberId: number) => memberId === user_id }
    if (change.kind === 'up') emit({ type: 'service.up', data: { service, seen_from }, ...about })
    else emit({ type: 'service.down', data: { service, problem: change.problem, seen_from }, ...about })
  })

  app.incidents.onChange(({ kind, incident, into }) => {
    const { id, title, state, parts } = incident
    const data = {
      incident: {
        id,
        title,
        state,
        started_at: isoTime(incident.started_at),
        acknowledged_by: incident.acknowledged_by || null,
        parts: parts.slice(0, mostParts).map((part) => ({
          kind: part.kind,
          id: part.id,
          name: part.name,
          role: part.role,
          server_id: part.server_id,
          service_id: part.service_id,
        })),
        parts_total: parts.length,
        merged_into: into?.id ?? null,
      },
    }
    // All of it is named: it is for those who may see all of it.
    const isVisibleTo = (memberId: number) =>
      parts.every(({ owner_id, server_id }) => owner_id === memberId || ownsServer(server_id, memberId))
    emit({ type: `incident.${kind}`, data, about: title, isVisibleTo })
  })

  app.tasks.onRunEnd((run, task) => {
    const { id, execution_id, cause, state, reason, exit_code, started_at, server_id, server_name } = run
    const { text: output, isCut: output_cut } = endOf(app.tasks.runs.output(run).trim())
    const times = { started_at: isoTime(started_at), ended_at: isoTime(run.ended_at ?? started_at) }
    emit({
      type: 'task_run.ended',
      data: {
        task: { id: task.id, name: String(task.name) },
        server: { id: server_id, name: server_name },
        run: { id, execution_id, cause, state, reason, exit_code, ...times, output, output_cut },
      },
      about: `${server_name}: ${task.name}`,
      // The output may have secrets: it is for those who own the server, as in the list of runs.
      isVisibleTo: (memberId) => ownsServer(server_id, memberId),
    })
  })

  app.signIns.onSignIn(({ user: { id, username }, address, by }) =>
    emit({
      type: 'user.signed_in',
      data: { user: { id, username }, address, by },
      about: `${username}, ${by}`,
      isVisibleTo: (memberId) => memberId === id,
    }),
  )

  return {
    presence(row, isOnline) {
      emit({
        type: isOnline ? 'server.online' : 'server.offline',
        data: { server: { id: row.id, name: String(row.name) } },
        about: String(row.name),
        isVisibleTo: (id) => app.serverAccess.isListed({ id, username: '', role: roles.user }, row),
      })
    },
    change({ id: change_id, entity, record_id, record_name, action, fields, user_id, username, owner_id }) {
      emit({
        type: 'record.changed',
        data: {
          change_id,
          entity,
          action,
          record: { id: record_id, name: record_name },
          // The values may be of any length and hold whatever somebody has noted: the list of changes has them.
          fields: fields.map(({ name }) => name),
          user: user_id ? { id: user_id, username } : null,
        },
        about: `${entity} ${record_name}`,
        isVisibleTo: (memberId) => memberId === owner_id,
      })
    },
  }
}

const alarmData = ({ id, rule_id, rule_name, server_id, server_name, started_at, causes }: Alarm) => ({
  id,
  rule: { id: rule_id, name: rule_name },
  server: { id: server_id, name: server_name },
  started_at: isoTime(started_at),
  causes,
})

/** Parts of an incident in an event: of thousands, the list of incidents has all. */
const mostParts = 50

interface PresenceServices {
  store: Store
  machines: Pick<Machines, 'connected' | 'lastSeen'>
  silences: Pick<Silences, 'ofServer'>
  /** Called when a server has gone offline, or is online again after that. */
  onChange: (server: ServerRow, isOnline: boolean) => void
  /** Milliseconds since 1970. */
  now: () => number
}

interface SentPresence {
  server_id: number
  online: boolean
}

/** Servers whose change is written and reported at once: thousands would hold others up for seconds. */
const mostOfLook = 500

/** Milliseconds without a connection: an agent that starts again, or this server, is not worth an event. */
export const offlineAfterMs = 30_000

/**
 * Notices which servers went offline or came back.
 * @returns a function that compares all servers with their last reported state; to be called every few seconds
 */
export function watchPresence({ store, machines, silences, onChange, now }: PresenceServices): () => void {
  const servers = entityTable(store, server)
  // Saved, so that a change during a restart of this server is noticed too.
  const columns = [
    { name: 'server_id', type: 'INTEGER', unique: true },
    { name: 'online', type: 'FLAG' },
  ] as const
  const { saved, save } = keyedTable<SentPresence & { id: number }, number>(
    store,
    { name: 'told_presence', columns },
    ({ server_id }) => server_id,
  )
  /** Since when a server that was reported as online has no connection, in milliseconds since 1970. */
  const missingSince = new Map<number, number>()

  function isOffline(row: ServerRow): boolean {
    const since = missingSince.get(row.id) ?? now()
    missingSince.set(row.id, since)
    // Reported once the silence is over, if the server is still offline then.
    return now() - since >= offlineAfterMs && !silences.ofServer(row.id, row.user_id)
  }

  /** Whether a server is online, if that is to be reported; `undefined` for nothing new. */
  function changeOf(row: ServerRow): boolean | undefined {
    const isOnline = machines.connected(row) !== undefined
    if (isOnline) missingSince.delete(row.id)
    const wasOnline = saved().get(row.id)?.online
    // A server that has just been registered is not offline: its first report is no return.
    if (wasOnline === undefined) return isOnline || machines.lastSeen(row) !== undefined ? isOnline : undefined
    if (isOnline && !wasOnline) return true
    return wasOnline && !isOnline && isOffline(row) ? false : undefined
  }

  /** Those whose deleted ones are no longer saved. */
  let lastRows: readonly ServerRow[] = []

  function goneFrom(rows: readonly ServerRow[]): number[] {
    if (rows === lastRows) return []
    const ids = new Set(rows.map(({ id }) => id))
    return [...saved().keys()].filter((id) => !ids.has(id))
  }

  return () => {
    const rows = servers.all()
    const changed: { row: ServerRow; online: boolean; isNew: boolean }[] = []
    for (const row of rows) {
      const online = changeOf(row)
      if (online !== undefined) changed.push({ row, online, isNew: !saved().has(row.id) })
      // The others have changed at the next look, too.
      if (changed.length === mostOfLook) break
    }
    const gone = goneFrom(rows)
    for (const id of gone) missingSince.delete(id)
    save([
      ...changed.map(({ row: { id }, online }) => [id, { server_id: id, online }] as const),
      ...gone.map((id) => [id, undefined] as const),
    ])
    lastRows = rows
    for (const { row, online, isNew } of changed) {
      if (!isNew) onChange(row, online)
      if (!online) missingSince.delete(row.id)
    }
  }
}
