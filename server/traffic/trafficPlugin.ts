import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { keptPeriods, trafficEndpoints } from '../../src/schemas/endpoints/trafficEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import { createPlaceQueue } from '../concurrency/placeQueue.ts'
import { repeat } from '../concurrency/repeat.ts'
import { takeTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { createRareWarning } from '../http/rareWarning.ts'
import { route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { owns } from '../person.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { ApiError } from '../wire/apiError.ts'
import { detailedTraffic, periodFinder, periodTraffic } from './periodTraffic.ts'
import { type DaySpan, openTrafficDays } from './trafficDays.ts'

interface TrafficOptions {
  store: Store
  log: Pick<Log, 'error' | 'warn'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Milliseconds. */
const saveMs = 60_000
/** Lists that are read at the same time, of one person and in all: each takes a second for thousands of servers. */
const listLimits = { perKey: 1, total: 4, waiting: 256, waitMs: 15_000 } as const

/** Counts the traffic of servers by days, and tells their owners what it comes to in the periods of contracts. */
export const trafficPlugin = fp(
  async (app: FastifyInstance, { store, log, now }: TrafficOptions) => {
    const { machines } = app
    const servers = entityTable(store, server)
    const traffic = openTrafficDays(store, (id) => servers.get(id)?.contract?.zone || ownTimezone())
    const saves = repeat(traffic.save, {
      intervalMs: saveMs,
      log,
      failure: 'The traffic of servers could not be saved:',
    })
    const warnRarely = createRareWarning(log)
    const stopReports = machines.onReport((id, { state, leftOut, at }) => {
      try {
        traffic.observe(id, state, leftOut.jumps, at.getTime())
      } catch (error) {
        // What this report adds is counted with the next one, as long as the database can be read then.
        warnRarely(`The traffic of servers could not be counted: ${error}`, 'traffic')
      }
    })
    const stopForget = machines.onForget((deleted) => traffic.forget(deleted.map(({ row }) => row.id)))
    app.addHook('onListen', async () => saves.start())
    app.addHook('onClose', async () => {
      saves.stop()
      stopReports()
      stopForget()
      try {
        traffic.saveNow()
      } catch (error) {
        log.error('The traffic of servers could not be saved:', error)
      }
    })

    const places = createPlaceQueue(listLimits)
    /** @returns what gives the place back @throws ApiError when there is none for too long */
    const placeFor = (key: string) =>
      new Promise<() => void>((resolve, reject) => {
        const leave = places.enter(key, {
          onPlace: () => queueMicrotask(() => resolve(leave)),
          onRefused: () => reject(new ApiError('the traffic is being read for you already: wait for that', 429)),
        })
      })

    route(app, 'traffic', trafficEndpoints.traffic, async ({ person, query }) => {
      const index = readPeriod(query.period)
      const leave = await placeFor(String(person?.id))
      try {
        const turn = takeTurns()
        const replies: ReturnType<typeof periodTraffic>[] = []
        const at = { index, now: now(), zone: ownTimezone() }
        const periodOf = periodFinder(at)
        for (const row of servers.all()) {
          if (!owns(person, row, [row.id])) continue
          const keptIn = (span: DaySpan) => traffic.read(row.id, span)
          replies.push(periodTraffic(periodOf(row), { ...at, row, keptIn }))
          await turn()
        }
        return replies
      } finally {
        leave()
      }
    })

    route(app, 'serverTraffic', trafficEndpoints.serverTraffic, ({ params, person, query }) => {
      const row = servers.get(params.id)
      if (!row) throw new ApiError(`server id ${params.id} does not exist`)
      if (!owns(person, row, [row.id])) throw new ApiError('permission denied')
      const kept = traffic.read(row.id)
      return detailedTraffic({ row, kept, index: readPeriod(query.period), now: now(), zone: ownTimezone() })
    })
  },
  { name: 'traffic', dependencies: ['security', 'machines'] },
)

/** @throws ApiError for what is no number of a period */
function readPeriod(text: string): number {
  if (/^\d{0,2}$/.test(text) && Number(text) < keptPeriods) return Number(text)
  throw new ApiError(`period must be a number from 0 to ${keptPeriods - 1}`)
}
