import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { fullDiskPercent } from '../../src/domain/trouble/fullDisk.ts'
import {
  mostPastTroubles,
  type PastTrouble,
  type RecentTrouble,
  troubleEndpoints,
} from '../../src/schemas/endpoints/recentTrouble.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import { type Alarm, visibleTo } from '../alerts/alarms.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { route } from '../http/routes/route.ts'
import type { Machines } from '../machines/machines.ts'
import { serversOfService } from '../machines/serversOfService.ts'
import { may, type Person } from '../person.ts'
import type { Outage } from '../services/outages.ts'
import type { ServiceRow } from '../services/serviceRow.ts'
import { timestamp } from '../wire/apiCall.ts'

interface TroubleOptions {
  store: Store
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

const dayMs = 86_400_000
/** Outages that are read: those of everybody, of which a person sees some. */
const readOutages = 2_000

interface Timed {
  trouble: PastTrouble
  startedAt: number
  endedAt: number | null
}

/** What is wrong now and was in the last 24 hours, for those whose servers and services it concerns. */
export const troublePlugin = fp(
  async (app: FastifyInstance, { store, now }: TroubleOptions) => {
    const services = entityTable(store, service)
    const servers = entityTable(store, server)
    const { checker } = app.services
    const { machines, serverAccess, silences } = app
    const { fullDisks, stop } = watchFullDisks(machines)
    app.addHook('onClose', async () => stop())

    route(app, 'recentTrouble', troubleEndpoints.recentTrouble, ({ person }) =>
      summedUp([...alarmsFor(person), ...outagesFor(person)], now()),
    )

    app.decorate('countTroubles', (person) => {
      const alarms = visibleTo(app.alerts.runningAlarms(), { store, person })
      const urgent = alarms.filter(({ server_id, silenced }) => !silenced && machines.connected({ id: server_id }))
      const alarmedDisks = new Set(
        urgent.filter(({ causes }) => causes.some(({ type }) => type === 'disk')).map((alarm) => alarm.server_id),
      )
      let count = urgent.length + [...outagesFor(person, 0)].length + app.countContractTroubles(person)
      for (const row of servers.all()) {
        const isOffline = !machines.connected(row)
        if (!isOffline && (!fullDisks.has(row.id) || alarmedDisks.has(row.id))) continue
        if (serverAccess.isListed(person, row) && !silences.ofServer(row.id, row.user_id)) count++
      }
      return count
    })

    /** When a withdrawn alarm would have ended is not known, and what happens in maintenance is expected. */
    function* alarmsFor(person: Person | undefined): Iterable<Timed> {
      for (const alarm of visibleTo(app.alerts.allAlarms(), { store, person })) {
        if (!alarm.withdrawn && alarm.silenced !== 'maintenance') yield ofAlarm(alarm)
      }
    }

    /** @param ended how many outages are read beside those that last */
    function* outagesFor(person: Person | undefined, ended = readOutages): Iterable<Timed> {
      for (const outage of checker.recentOutages(ended)) {
        const row = services.get(outage.service_id)
        if (row && may(person, 'see', row, serversOfService(row))) yield ofOutage(outage, row)
      }
    }
  },
  { name: 'trouble', dependencies: ['security', 'alerts', 'services', 'maintenance', 'contracts'] },
)

/** The servers whose disks are full, by what they reported last. */
export function watchFullDisks(machines: Pick<Machines, 'onReport' | 'onForget'>) {
  const fullDisks = new Set<number>()
  const unsubscribe = [
    machines.onReport((id, { facts, state }) => {
      const isFull = fullDiskPercent(state.disk_used, facts.host.disk_total, fullDisks.has(id)) !== undefined
      if (isFull) fullDisks.add(id)
      else fullDisks.delete(id)
    }),
    machines.onForget((deleted) => {
      for (const { row } of deleted) fullDisks.delete(row.id)
    }),
  ]
  return {
    fullDisks: fullDisks as ReadonlySet<number>,
    stop() {
      for (const end of unsubscribe) end()
    },
  }
}

function summedUp(all: readonly Timed[], now: number): RecentTrouble {
  const since = now - dayMs
  const recent = all.filter(({ endedAt }) => endedAt === null || endedAt >= since)
  recent.sort((one, other) => other.startedAt - one.startedAt)
  const lasts = recent.some(({ endedAt }) => endedAt === null)
  const lastEnd = all.reduce((latest, { endedAt }) => Math.max(latest, endedAt ?? 0), 0)
  return {
    troubles: recent.slice(0, mostPastTroubles).map(({ trouble }) => trouble),
    ...(!lasts && lastEnd > 0 && { last_ended_at: timestamp(lastEnd) }),
  }
}

const times = (startedAt: number, endedAt: number | null) => ({
  started_at: timestamp(startedAt),
  ...(endedAt !== null && { ended_at: timestamp(endedAt) }),
})

const ofAlarm = ({ id, server_id, server_name, rule_name, causes, started_at, ended_at }: Alarm): Timed => ({
  startedAt: started_at,
  endedAt: ended_at,
  trouble: {
    kind: 'alarm',
    id,
    name: server_name,
    server_id,
    rule_name,
    ...(causes.some(({ type }) => type === 'offline') && { offline: true }),
    ...times(started_at, ended_at),
  },
})

const ofOutage = ({ id, service_id, started_at, ended_at }: Outage, { name }: ServiceRow): Timed => ({
  startedAt: started_at,
  endedAt: ended_at,
  trouble: { kind: 'outage', id, name, service_id, ...times(started_at, ended_at) },
})
