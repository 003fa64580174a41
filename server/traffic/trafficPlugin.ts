import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { dayIn } from '../../src/domain/contract/trafficPeriods.ts'
import { contractEndpoints } from '../../src/schemas/endpoints/contractEndpoints.ts'
import { keptPeriods, type TrafficOfPeriod, trafficEndpoints } from '../../src/schemas/endpoints/trafficEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import { createPlaceQueue, waitForPlace } from '../concurrency/placeQueue.ts'
import { repeat } from '../concurrency/repeat.ts'
import { takeTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import { createRareWarning } from '../http/rareWarning.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { owns, type Person } from '../person.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { ApiError, bodyReader } from '../wire/apiCall.ts'
import {
  correctedOf,
  countedInPeriod,
  detailedTraffic,
  openCorrections,
  periodFinder,
  periodTraffic,
} from './periodTraffic.ts'
import { type DaySpan, openTrafficDays, type TrafficDays } from './trafficDays.ts'

declare module 'fastify' {
  interface FastifyInstance {
    traffic: CountedTraffic
  }
}

/** What was counted, for other features. */
export interface CountedTraffic {
  days: Pick<TrafficDays, 'read'>
  /** The traffic of servers in their periods, which are reckoned once. @param index how many periods back */
  inPeriod(index: number): (row: ServerRow) => TrafficOfPeriod
  /**
   * Does work that reads the traffic of all servers of a person, once there is a place for it.
   * @throws ApiError when there is none for too long
   */
  inPlace<T>(person: Pick<Person, 'id'> | undefined, work: () => Promise<T>): Promise<T>
  /** Since when the traffic of a server is counted, in milliseconds since 1970; `undefined` before its first report. */
  countedSince(row: ServerRow): number | undefined
}

interface TrafficOptions {
  store: Store
  log: Pick<Log, 'error' | 'warn'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** The time by which history is too old, in milliseconds since 1970. */
  retentionNow: () => number
}

/** Milliseconds. */
const saveMs = 60_000
/** Lists that are read at the same time, of one person and in all: each takes a second for thousands of servers. */
const listLimits = { perKey: 1, total: 4, waiting: 256, waitMs: 15_000 } as const

/** Counts the traffic of servers by days, and tells their owners what it comes to in the periods of contracts. */
export const trafficPlugin = fp(
  async (app: FastifyInstance, { store, log, now, retentionNow }: TrafficOptions) => {
    const { machines } = app
    const servers = entityTable(store, server)
    const traffic = openTrafficDays(store, (id) => servers.get(id)?.contract?.zone || ownTimezone(), retentionNow)
    const corrections = openCorrections(store)
    const at = (index: number) => ({ index, now: now(), zone: ownTimezone(), corrections })
    const keptIn = (row: ServerRow) => (span: DaySpan) => traffic.read(row.id, span)
    const places = createPlaceQueue(listLimits)
    function inPeriod(index: number): (row: ServerRow) => TrafficOfPeriod {
      const asked = at(index)
      const periodOf = periodFinder(asked)
      return (row) => periodTraffic(periodOf(row), { ...asked, row, keptIn: keptIn(row) })
    }
    app.decorate('traffic', {
      days: traffic,
      inPeriod,
      async inPlace(person, work) {
        const leave = await waitForPlace(places, String(person?.id))
        if (!leave) throw new ApiError('the traffic is being read for you already: wait for that', 429)
        try {
          return await work()
        } finally {
          leave()
        }
      },
      countedSince(row) {
        const today = dayIn(row.contract?.zone || ownTimezone(), now())
        return traffic.read(row.id, { first: today, last: today }).since
      },
    })
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
    const stopForget = machines.onForget((deleted) => {
      const ids = deleted.map(({ row }) => row.id)
      traffic.forget(ids)
      corrections.forget(ids)
    })
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

    route(app, 'traffic', trafficEndpoints.traffic, ({ person, query }) => {
      const index = readPeriod(query.period)
      return app.traffic.inPlace(person, async () => {
        const turn = takeTurns()
        const replies: TrafficOfPeriod[] = []
        const trafficOf = inPeriod(index)
        for (const row of servers.all()) {
          if (!owns(person, row, [row.id])) continue
          replies.push(trafficOf(row))
          await turn()
        }
        return replies
      })
    })

    /** @throws ApiError when the person does not own the server */
    function ownServer(id: number, person: Person | undefined): ServerRow {
      const row = servers.get(id)
      if (!row) throw new ApiError(`server id ${id} does not exist`)
      if (!owns(person, row, [row.id])) throw new ApiError('permission denied')
      return row
    }

    route(app, 'serverTraffic', trafficEndpoints.serverTraffic, ({ params, person, query }) => {
      const row = ownServer(params.id, person)
      return detailedTraffic({ ...at(readPeriod(query.period)), row, kept: traffic.read(row.id) })
    })

    const { correctTraffic } = contractEndpoints
    route(
      app,
      { name: 'correctTraffic', audit: 'server.update' },
      correctTraffic,
      bodyReader(correctTraffic),
      (request) => {
        const { params, person, body } = request
        const row = ownServer(params.id, person)
        const asked = { ...at(0), row, kept: traffic.read(row.id) }
        const period = periodFinder(asked)(row)
        const corrected = correctedOf(period, row)
        if (body.used === null) {
          if (!corrections.takeBack(row.id, corrected)) throw new ApiError('there is no correction in this period')
        } else {
          const { id: user_id = 0, username = '' } = person ?? {}
          const difference = body.used - countedInPeriod(period, asked)
          // The database gives back no larger ones.
          if (!Number.isSafeInteger(difference)) {
            throw new ApiError('what was counted is so far from that that it cannot be corrected')
          }
          corrections.add(row.id, corrected, { at: now(), difference, user_id, username })
        }
        addAuditDetails(request, { target: `server ${row.id}`, detail: { used: body.used ?? 'taken back' } })
        return detailedTraffic(asked)
      },
    )
  },
  { name: 'traffic', dependencies: ['security', 'machines'] },
)

/** @throws ApiError for what is no number of a period */
export function readPeriod(text: string): number {
  if (/^\d{0,2}$/.test(text) && Number(text) < keptPeriods) return Number(text)
  throw new ApiError(`period must be a number from 0 to ${keptPeriods - 1}`)
}
