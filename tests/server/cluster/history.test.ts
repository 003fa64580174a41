import { Client } from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type History, openHistory } from '../../../server/db/history/openHistory.ts'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { openPostgresHistory } from '../../../server/db/postgres/postgresHistory.ts'
import { tiers } from '../../../server/services/history/periods.ts'
import { openServerHistory } from '../../../server/services/history/serverHistory.ts'
import {
  createServiceHistories,
  days as everyDay,
  openSamples,
} from '../../../server/services/history/serviceHistory.ts'
import { historyPeriods } from '../../../src/schemas/endpoints/serviceHistory.ts'
import { leadingNode } from '../../support/postgres/leadingNode.ts'
import { networkTo } from '../../support/postgres/networkTo.ts'
import { ask } from '../../support/postgres/startPostgres.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
const noon = Date.parse('2026-11-21T12:00:00Z')

async function leader(place: PostgresPlace) {
  const { nodeId, store, writer, close } = await leadingNode(place)
  return { term: writer.term, nodeId, store, close }
}

function recorded(history: History) {
  const samples = openSamples(history)
  const metrics = openServerHistory(history)
  const all = [samples.checks, samples.days, samples.downtime, metrics.series]
  return {
    samples,
    metrics,
    histories: createServiceHistories(samples),
    async save() {
      for (const series of all) await series.flush()
    },
    async thin(now: number, retentionNow?: number) {
      for (const series of all) await series.thin(now, retentionNow)
    },
  }
}

type Recorded = ReturnType<typeof recorded>

async function openRecorded(place: PostgresPlace, { term, nodeId }: { term: number; nodeId: string }, keptDays = 400) {
  const warn = vi.fn<(text: string) => void>()
  const history = openPostgresHistory({ place, nodeId, term, days: keptDays, log: { warn }, pauseMs: 0 })
  onTestFinished(() => history.close())
  return { ...recorded(history), history, warn }
}

/** Checks of two services on three servers and metrics of those, each five minutes. */
function addAll({ samples, metrics }: Recorded, at: number): void {
  for (const server of [1, 2, 3]) {
    const noise = (at / minute + server * 7) % 50
    metrics.add(server, { cpu: noise, mem_used: server === 2 ? undefined : 1e12 + noise, load_1: noise / 8 }, at)
    samples.add(
      1,
      server,
      at,
      noise > 40 ? { outcome: 'down', problem: 'refused' } : { outcome: 'up', delay: noise + 0.125 },
    )
    samples.add(2, server, at, { outcome: 'up', delay: 3, phases: { connect: noise } })
  }
  samples.addDowntime(1, at - minute, at)
}

async function everythingOf({ samples, metrics, histories }: Recorded, now: number) {
  const found: unknown[] = []
  for (const period of historyPeriods) {
    for (const metric of ['cpu', 'memory'] as const) found.push(await metrics.dataPoints(2, metric, period, now))
    found.push(
      await histories.ofService(1, period, now),
      await histories.ofServer(3, period, now),
      await histories.ofServer(3, period, now, { services: [2] }),
    )
  }
  found.push(await metrics.lastHour(1, 'cpu', now), await samples.days.all({ from: now - 40 * day, until: now }))
  for (const isMany of [true, false])
    for await (const { at, length, servers } of metrics.lastWeek([1, 3], ['cpu', 'load1'], now, isMany).steps)
      found.push([at, length, [...servers]])
  for await (const step of samples.downtime.steps(everyDay, { from: now - 60 * day, until: now }, [0, 9], ['ms']))
    found.push(step)
  return found
}

it('charts from PostgreSQL are those of a file, in every period, and the same at the next leader', async () => {
  const place = await testPostgres()
  const first = await leader(place)
  const file = recorded(openHistory(':memory:', 400))
  const inPostgres = await openRecorded(place, first)
  for (let at = noon - 33 * day; at <= noon; at += at < noon - 8 * hour ? 3 * hour : 5 * minute) {
    for (const one of [file, inPostgres]) addAll(one, at)
    if (at % day === 0)
      for (const one of [file, inPostgres]) {
        await one.save()
        await one.thin(at)
      }
  }
  for (const one of [file, inPostgres]) {
    await one.save()
    await one.thin(noon)
    // Not summed up yet.
    addAll(one, noon + 40 * second)
    await one.save()
  }
  const expected = await everythingOf(file, noon + minute)
  expect(await everythingOf(inPostgres, noon + minute)).toEqual(expected)
  expect(JSON.stringify(expected).length).toBeGreaterThan(20_000)

  await first.close()
  const next = await openRecorded(place, await leader(place))
  expect(await everythingOf(next, noon + minute)).toEqual(expected)
  // Who led before writes nothing any more.
  addAll(inPostgres, noon + 50 * second)
  await inPostgres.save()
  expect(await everythingOf(next, noon + minute)).toEqual(expected)
  // Those of a deleted server and service go.
  for (const one of [file, next]) {
    one.samples.checks.forget('other', [3])
    one.metrics.series.forget('one', [2])
    await one.thin(noon + minute)
  }
  expect(await everythingOf(next, noon + minute)).toEqual(await everythingOf(file, noon + minute))
  expect(await next.metrics.series.ids('one')).toEqual(new Set([1, 3]))
})

it('partitions are there before they are needed, and old ones are dropped after the days that were chosen', async () => {
  const place = await testPostgres()
  const { metrics, save, thin } = await openRecorded(place, await leader(place), 60)
  const partitions = async (tier: number) => {
    const tables = await ask(
      place,
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = '${place.schema}' AND table_name LIKE 'history_server_${tier}_from_%' ORDER BY 1`,
    )
    return tables.map(({ name = '' }) => Number(name.split('_').at(-1)) * 1000)
  }
  metrics.add(1, { cpu: 50 }, noon)
  await save()
  await thin(noon)
  for (const { step } of tiers) expect(Math.max(...(await partitions(step)))).toBeGreaterThan(noon)
  const points = async (now: number) =>
    (await metrics.series.ofOne(tiers[4], { from: noon - day, until: now }, 1)).map(({ sums }) => sums[1])
  for (const after of [7 * hour, 9 * day, 40 * day, 59 * day]) await thin(noon + after)
  expect(await points(noon + 59 * day)).toEqual([50])
  // The clock has jumped: what it calls too old stays.
  await thin(noon + 164 * day, noon + 59 * day)
  expect(await points(noon + 59 * day)).toEqual([50])
  // A partition of 120 days ends after the last of them.
  await thin(noon + 164 * day)
  expect(await points(noon + 164 * day)).toEqual([])
  for (const { step } of tiers) expect(Math.min(...(await partitions(step)))).toBeGreaterThan(noon)
  expect(await partitions(30)).toHaveLength(2)
})

it('while PostgreSQL is away values wait in memory; after it they are there once, and rows were never held up', async () => {
  const place = await testPostgres()
  const network = await networkTo(place.url)
  onTestFinished(network.close)
  const led = await leader(place)
  const { metrics, save, warn } = await openRecorded({ ...place, url: network.url }, led)
  metrics.add(1, { cpu: 10 }, noon)
  await save()
  network.cut('refused')
  metrics.add(1, { cpu: 30 }, noon)
  await expect(save()).rejects.toThrow('cannot be reached')
  metrics.add(1, { cpu: 50 }, noon + 30 * second)
  await expect(save()).rejects.toThrow('cannot be reached')
  await expect(metrics.dataPoints(1, 'cpu', '1d', noon + minute)).rejects.toThrow()
  expect(warn).not.toHaveBeenCalled()
  led.store.setValue('saved meanwhile', 1)
  expect(await led.store.durable(10_000)).toBe(true)
  network.mend()
  await vi.waitFor(save)
  const values = async () => (await metrics.dataPoints(1, 'cpu', '1d', noon + minute)).map(({ value }) => value)
  expect(await values()).toEqual([20, 50])

  // An answer that does not arrive: whether it was written is not known, and it is not written twice.
  network.cut('silent')
  metrics.add(1, { cpu: 80 }, noon + 30 * second)
  const silent = save().catch(() => {})
  network.mend()
  await silent
  await vi.waitFor(save)
  expect(await values()).toEqual([20, 65])

  network.cut('refused')
  for (let one = 1; one <= 200_010; one++) metrics.series.add({ one, other: 0 }, noon, [1])
  expect(warn).toHaveBeenCalledTimes(1)
})

it('what waited while PostgreSQL was away is in the longer buckets too, whatever is done first after it', async () => {
  const place = await testPostgres()
  const network = await networkTo(place.url)
  onTestFinished(network.close)
  const { metrics, save, thin } = await openRecorded({ ...place, url: network.url }, await leader(place))
  const measure = (server: number) => {
    for (let at = noon; at < noon + 20 * minute; at += minute) metrics.add(server, { cpu: 30 }, at)
  }
  metrics.add(1, { cpu: 30 }, noon)
  await save()
  network.cut('refused')
  measure(1)
  await expect(save()).rejects.toThrow('cannot be reached')
  measure(2)
  network.mend()
  await vi.waitFor(() => thin(noon + 20 * minute))
  await save()
  await thin(noon + 2 * hour)
  const reports = await metrics.series.ofOne(tiers[1], { from: noon, until: noon + 20 * minute }, 2)
  expect(reports.map(({ sums }) => sums[0])).toEqual([5, 5, 5, 5])
})

it('a year of measurements from another product goes into the buckets where it stays', async () => {
  const place = await testPostgres()
  const { metrics, thin } = await openRecorded(place, await leader(place))
  const past = Array.from({ length: 365 * 4 }, (_, at) => ({ server: 1, at: noon - at * 6 * hour, state: { cpu: 5 } }))
  await metrics.addPast(past, noon)
  await thin(noon)
  expect((await metrics.dataPoints(1, 'cpu', '365d', noon + minute)).map(({ value }) => value)).toEqual(
    Array(366).fill(5),
  )
  expect(await metrics.dataPoints(1, 'cpu', '1d', noon + minute)).toHaveLength(5)
  const [found] = await ask(
    place,
    `SELECT count(*) AS n FROM pg_inherits WHERE inhparent = '"${place.schema}".history_server_30'::regclass`,
  )
  expect(Number(found?.n)).toBeLessThan(5)
})

it('a year in six hours, as earlier versions kept it, becomes days of which none is missing', async () => {
  const place = await testPostgres()
  const led = await leader(place)
  const before = openPostgresHistory({ ...led, place, days: 400, log: { warn: () => {} } })
  const [first, second, third, fourth] = tiers
  const series = before.series({ name: 'server', columns: ['reports', 'cpu'], tiers: [first, second, third, fourth] })
  const past = Array.from({ length: 365 * 4 }, (_, at) => noon - at * 6 * hour)
  const values = past.map((at) => ({ key: { one: 1, other: 0 }, at, values: [2, 10] }))
  await series.addPast(values, noon)
  before.close()
  const { metrics, thin } = await openRecorded(place, led)
  await thin(noon)
  expect((await metrics.dataPoints(1, 'cpu', '365d', noon + minute)).map(({ value }) => value)).toEqual(
    Array(366).fill(5),
  )
  const year = { from: noon - 365 * day, until: noon + minute }
  // A partition of 30 days goes when the last of them is too old.
  expect((await metrics.series.ofOne(tiers[3], year, 1)).length).toBeLessThan(62 * 4)
})

it('a dump that reads all tables for hours holds up neither the charts of a new leader nor new partitions', async () => {
  const place = await testPostgres()
  const first = await leader(place)
  const before = await openRecorded(place, first)
  before.metrics.add(1, { cpu: 10 }, noon)
  await before.save()
  await before.thin(noon)
  const dump = new Client({ connectionString: place.url })
  await dump.connect()
  onTestFinished(() => dump.end())
  await dump.query('BEGIN')
  const tables = await ask(
    place,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${place.schema}'`,
  )
  for (const { name } of tables) await dump.query(`LOCK TABLE "${place.schema}"."${name}" IN ACCESS SHARE MODE`)
  await first.close()
  const { metrics, save } = await openRecorded(place, await leader(place))
  metrics.add(1, { cpu: 30 }, noon)
  metrics.add(1, { cpu: 40 }, noon + 5 * hour)
  await save()
  const points = await metrics.series.ofOne(tiers[0], { from: noon, until: noon + 6 * hour }, 1)
  expect(points.map(({ sums }) => sums[1])).toEqual([40, 40])
})
