import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Inspected } from '../../../src/domain/alerts/metricValue.ts'
import { inspectEndpoints } from '../../../src/schemas/endpoints/inspectEndpoints.ts'
import { conditionsQuery } from '../../../src/schemas/inspect/conditions.ts'
import { server } from '../../../src/schemas/server.ts'
import { repeat } from '../../concurrency/repeat.ts'
import type { Store } from '../../db/store.ts'
import { entityTable } from '../../entities/entityTable.ts'
import { route } from '../../http/routes/route.ts'
import type { Log } from '../../log.ts'
import { messagesOf } from '../../site/messages.ts'
import { readSite } from '../../site/site.ts'
import { type Conditions, createConditions, openWaitingUpdates } from '../conditions/conditions.ts'
import { readQuery } from '../orders.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'
import { openSnapshotTable } from './snapshotTable.ts'

declare module 'fastify' {
  interface FastifyInstance {
    snapshots: Snapshots
    conditions: Conditions
  }
}

interface SnapshotsOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** The time by which history is too old, in milliseconds since 1970. */
  retentionNow: () => number
}

/** What lists of servers have of it. */
const countsOf = (said: Inspected) => ({
  failed_units: said.unit_failed?.value,
  containers_down: said.containers_down?.value,
  updates: said.updates?.value,
  reboot_needed: said.reboot_needed?.value,
})

/** What a machine is asked for a column. */
const subjectOf = {
  failed_units: 'units',
  containers_down: 'containers',
  updates: 'packages',
  reboot_needed: 'packages',
} as const

/** Milliseconds between two looks whether some are too old. */
const removalMs = 3_600_000

/** What machines are asked for because of alerts: snapshots when alarms begin, and what rules watch. */
export const snapshotsPlugin = fp(
  async (app: FastifyInstance, { store, log, now, retentionNow }: SnapshotsOptions) => {
    const servers = entityTable(store, server)
    const hasServer = (id: number) => servers.get(id) !== undefined
    const ownerOf = (id: number) => servers.get(id)?.user_id ?? 0
    const table = openSnapshotTable(store, { hasServer, now: retentionNow })
    const snapshots = createSnapshots({
      inspector: app.inspector,
      ownerOf,
      table,
      messages: messagesOf(store),
      pause: (ms) => pause(ms, undefined, { ref: false }),
      log,
      now,
    })
    app.decorate('snapshots', snapshots)
    const waitingUpdates = openWaitingUpdates(store, { hasServer, now })
    const everyMs = () => readSite(store).inspect_minutes * 60_000
    const conditions = createConditions({ inspector: app.inspector, ownerOf, waitingUpdates, everyMs, log, now })
    app.decorate('conditions', conditions)
    route(app, 'conditions', inspectEndpoints.conditions, ({ person, query }) => {
      const { column } = readQuery(conditionsQuery, query)
      return servers.all().flatMap((row) => {
        const { id } = row
        if (!app.inspector.mayLook(person, id)) return []
        if (column && app.machines.connected(row)) conditions.want(id, [subjectOf[column]])
        const said = conditions.of(id)
        return said ? [{ server_id: id, ...countsOf(said) }] : []
      })
    })
    route(app, 'alarmSnapshot', inspectEndpoints.alarmSnapshot, ({ params, person }) =>
      snapshots.read(person, params.id),
    )
    const failure = 'Old snapshots of alarms could not be removed:'
    const removal = repeat(table.removeOld, { intervalMs: removalMs, log, failure })
    app.addHook('onListen', async () => removal.start())
    app.addHook('onClose', async () => {
      snapshots.stop()
      conditions.stop()
      await removal.stop()
    })
  },
  { name: 'snapshots', dependencies: ['inspect'] },
)
