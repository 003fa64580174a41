import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHistory } from '../../../server/db/history/openHistory.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { JudgedState } from '../../../server/machines/judgeReports.ts'
import { tiers } from '../../../server/services/history/periods.ts'
import { openServerHistory } from '../../../server/services/history/serverHistory.ts'
import { type HistoryPeriod, serverMetrics } from '../../../src/schemas/endpoints/serviceHistory.ts'
import { server } from '../../../src/schemas/server.ts'
import { service } from '../../../src/schemas/service.ts'
import { dataApp } from '../../support/console/dataApp.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { noState } from '../../support/server/testHost.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
const noon = Date.parse('2026-11-21T12:00:00Z')

/** Adds a check every five minutes for so many days until now, and sums up regularly. */
async function simulateDays(
  days: number,
  { isDown = (_at: number): boolean => false, step = 5 * minute, kept = 31 } = {},
) {
  const watch = await serviceFixture({ clock: { now: noon - days * day }, history: openHistory(':memory:', kept) })
  const { services, clock } = watch
  watch.add()
  for (; clock.now <= noon; clock.now += step) {
    services.samples.add(
      1,
      1,
      clock.now,
      isDown(clock.now) ? { outcome: 'down', problem: 'x' } : { outcome: 'up', delay: 10 },
    )
    services.metrics.add(1, { ...noState, cpu: 40, mem_used: clock.now === noon ? 200 : 100 }, clock.now)
    if (clock.now % hour === 0) {
      await services.recorder.save()
      await services.recorder.thin()
    }
  }
  clock.now = noon
  await services.recorder.save()
  await services.recorder.thin()
  const read = async (period: HistoryPeriod) =>
    (await services.histories.ofService(1, period, noon + second)).servers[0]
  return { ...watch, read }
}

describe('the history of checks', () => {
  it('goes on after a clock that jumped a year forward and back', async () => {
    const { services, clock, read } = await simulateDays(0)
    const check = async () => {
      services.samples.add(1, 1, clock.now, { outcome: 'up', delay: 10 })
      await services.recorder.save()
      await services.recorder.thin()
    }
    clock.now = noon + 365 * day
    await check()
    await check()
    for (clock.now = noon - 3 * day; clock.now <= noon; clock.now += 5 * minute) await check()
    const result = await read('7d')
    expect(result?.totals.up).toBeGreaterThanOrEqual(3 * 288)
    expect(result?.points.length).toBeGreaterThanOrEqual(3 * 24)
  })

  it('covers a day, a week and a month, in longer buckets with age, without losing or repeating checks', async () => {
    const { read, services } = await simulateDays(40)
    for (const [period, days, step] of [
      ['1d', 1, 5 * minute],
      ['7d', 7, hour],
      ['30d', 30, 6 * hour],
    ] as const) {
      const result = await read(period)
      const gaps = result?.points.slice(1).map(({ ts }, index) => ts - (result.points[index]?.ts ?? 0)) ?? []
      expect(Math.max(...gaps)).toBe(step)
      // The first bucket begins before the period.
      const expected = days * 288
      expect(result?.totals.up).toBeGreaterThanOrEqual(expected)
      expect(result?.totals.up).toBeLessThanOrEqual(expected + step / (5 * minute))
      expect(result?.totals.down).toBe(0)
      expect(new Set(result?.points.map(({ delay }) => delay))).toEqual(new Set([10]))
      expect(await services.histories.ofServer(1, period, noon + second)).toEqual([result])
    }
  })

  it('of a server has the services that are asked for, a thousand as well as one', async () => {
    const { services, clock } = await serviceFixture()
    for (let id = 1; id <= 1100; id++) services.samples.add(id, 1, clock.now, { outcome: 'up', delay: id })
    await services.recorder.save()
    const read = async (ids?: readonly number[]) =>
      (await services.histories.ofServer(1, '1d', clock.now + second, { services: ids }))
        .map(({ service, points }) => [service, points[0]?.delay])
        .sort()
    const everything = await read()
    expect(everything).toHaveLength(1100)
    const mixed = Array.from({ length: 1100 }, (_, index) => ((index * 7) % 1100) + 1)
    expect(await read(mixed)).toEqual(everything)
    expect(await read([1100])).toEqual([[1100, 1100]])
    expect(await read([])).toEqual([])
  })

  it('has single checks of the last hour', async () => {
    const { services, clock, pass, add } = await serviceFixture()
    add()
    await pass(600)
    await services.recorder.save()
    const [result] = (await services.histories.ofService(1, '1d', clock.now)).servers
    expect(result?.points.length).toBeGreaterThanOrEqual(15)
  })

  it('of a server with hundreds of services has hours, so that the reply stays small', async () => {
    const data = await dataApp({ now: () => noon })
    entityTable(data.store, server).insert({ name: 'web-1' })
    const services = entityTable(data.store, service)
    const points = async () => {
      const { body } = await data.call('GET', 'server/1/service')
      return (body as { data: { created_at: number[] }[] }).data[0]?.created_at.length
    }
    services.insert({ name: 'first', user_id: 1 })
    for (let at = noon - 4 * hour; at < noon; at += 5 * minute)
      data.services.samples.add(1, 1, at, { outcome: 'up', delay: 1 })
    await data.services.recorder.save()
    await data.services.recorder.thin()
    expect(await points()).toBe(48)
    for (let number = 0; number < 200; number++) services.insert({ name: 'more', user_id: 1 })
    expect(await points()).toBe(4)
  })

  it('is bounded: a service on a server never has more than 800 rows', async () => {
    const { history, services, clock } = await simulateDays(45, { step: 30 * minute })
    // Many checks fill the shortest buckets.
    for (clock.now = noon; clock.now < noon + 3 * hour; clock.now += 5 * second) {
      services.samples.add(1, 1, clock.now, { outcome: 'up', delay: 1 })
      if (clock.now % (5 * minute) === 0) {
        await services.recorder.save()
        await services.recorder.thin()
      }
    }
    const rows = history.rowCount('check')
    expect(rows).toBeGreaterThan(500)
    expect(rows).toBeLessThan(800)
  })

  it('marks a bucket as down when most of its checks failed', async () => {
    const { read } = await simulateDays(3, { isDown: (at) => at >= noon - 2 * day && at < noon - day })
    const bad = (await read('7d'))?.points.filter(({ status }) => status === 0) ?? []
    expect(bad).toHaveLength(24)
    expect(bad.every(({ delay }) => delay === null)).toBe(true)
    expect((await read('7d'))?.totals.down).toBe(288)
  })

  it('is there after a crash, except for the last five seconds', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'history.db')
    const history = openHistory(path)
    const watch = await serviceFixture({ history })
    watch.add()
    await watch.pass(120)
    const before = watch.services.checker.recentResultsOf(1)?.counts(watch.clock.now).up
    await watch.services.recorder.save()
    // Killed: nothing is closed.
    const again = await serviceFixture({ history: openHistory(path), store: watch.store, clock: watch.clock })
    const [result] = (await again.services.histories.ofService(1, '1d', watch.clock.now)).servers
    expect(result?.totals.up).toBe(before)
    history.close()
  })

  it('is written immediately when the server stops', async () => {
    const watch = await serviceFixture()
    watch.add()
    watch.services.start()
    await watch.pass(40)
    await watch.services.stop()
    expect((await watch.services.histories.ofService(1, '1d', watch.clock.now)).servers[0]?.totals.up).toBe(2)
  })

  it('stays when the target changes, and is deleted with the service and the server', async () => {
    const { services, add, pass, table, clock, history, store } = await serviceFixture({ machines: 2 })
    add()
    add()
    await pass(40)
    await services.recorder.save()
    table.update(1, { target: 'other.example:1' })
    await pass(40)
    await services.recorder.save()
    expect((await services.histories.ofService(1, '1d', clock.now)).servers.map(({ totals }) => totals.up)).toEqual([
      3, 3,
    ])
    table.remove([1])
    entityTable(store, server).remove([2])
    await services.recorder.save()
    await services.recorder.thin()
    expect((await services.histories.ofService(1, '1d', clock.now)).servers).toEqual([])
    expect((await services.histories.ofService(2, '1d', clock.now)).servers.map((result) => result.server)).toEqual([1])
    expect(history.rowCount('service')).toBe(1)
  })

  it('of unknown services and servers, as after a restore, is deleted soon after the start', async () => {
    const { services, history, clock } = await serviceFixture()
    services.samples.add(8, 1, clock.now, { outcome: 'up', delay: 1 })
    services.metrics.add(9, noState, clock.now)
    await services.recorder.save()
    expect([history.rowCount('check'), history.rowCount('service'), history.rowCount('server')]).toEqual([1, 1, 1])
    await services.recorder.thin()
    expect([history.rowCount('check'), history.rowCount('service'), history.rowCount('server')]).toEqual([0, 0, 0])
  })

  it('starts anew when its file is damaged, which is renamed', async () => {
    const path = join(temporaryFolder(), 'history.db')
    writeFileSync(path, 'no database at all, but long enough to be taken for one'.repeat(100))
    const history = openHistory(path)
    expect(history.damagedFile).toBe(`${path}.damaged-1`)
    expect(existsSync(`${path}.damaged-1`)).toBe(true)
    history.close()
  })
})

describe('a history of a year', () => {
  it('has an average for each day, of metrics and of checks', async () => {
    const { services, read } = await simulateDays(420, {
      step: 3 * hour,
      kept: 400,
      isDown: (at) => at < noon - 300 * day,
    })
    const cpu = await services.metrics.dataPoints(1, 'cpu', '365d', noon + second)
    expect(cpu.length).toBeGreaterThanOrEqual(365)
    expect(cpu.length).toBeLessThanOrEqual(367)
    expect(cpu.every(({ ts, value }) => ts % day === 0 && value === 40)).toBe(true)
    const checks = await read('365d')
    expect(checks?.points.filter(({ status }) => status === 0).length).toBeGreaterThanOrEqual(64)
    expect(checks?.points.filter(({ status }) => status === 1).length).toBeGreaterThanOrEqual(300)
  })

  it('has the days of one that an earlier version kept in six hours, which take their place', async () => {
    const path = join(temporaryFolder(), 'history.db')
    const before = openHistory(path, 400)
    const [first, second, third, fourth] = tiers
    const series = before.series({ name: 'server', columns: ['reports', 'cpu'], tiers: [first, second, third, fourth] })
    const past = Array.from({ length: 365 * 4 }, (_, at) => noon - at * 6 * hour)
    const values = past.map((at) => ({ key: { one: 1, other: 0 }, at, values: [2, 10] }))
    await series.addPast(values, noon)
    await series.thin(noon)
    before.close()
    const history = openHistory(path, 400)
    onTestFinished(() => history.close())
    const metrics = openServerHistory(history)
    expect(history.rowCount('server')).toBeGreaterThan(365 * 4)
    await metrics.series.thin(noon)
    expect((await metrics.dataPoints(1, 'cpu', '365d', noon + minute)).map(({ value }) => value)).toEqual(
      Array(366).fill(5),
    )
    expect(history.rowCount('server')).toBeLessThan(600)
  })

  it('ends with the days that are kept', async () => {
    const { services } = await simulateDays(60, { step: 3 * hour })
    const points = await services.metrics.dataPoints(1, 'cpu', '365d', noon + second)
    expect(points.length).toBeGreaterThanOrEqual(31)
    expect(points.length).toBeLessThanOrEqual(33)
  })
})

describe('the history of a metric', () => {
  it('has averages by bucket for a day, a week and a month', async () => {
    const { services } = await simulateDays(31)
    const dataPoints = (period: HistoryPeriod) => services.metrics.dataPoints(1, 'cpu', period, noon + second)
    expect((await dataPoints('1d')).length).toBeGreaterThanOrEqual(287)
    expect((await dataPoints('7d')).length).toBeGreaterThanOrEqual(168)
    expect((await dataPoints('30d')).length).toBeGreaterThanOrEqual(120)
    expect((await dataPoints('30d')).every(({ value }) => value === 40)).toBe(true)
    const memory = await services.metrics.dataPoints(1, 'memory', '1d', noon + second)
    expect(memory.at(-1)).toEqual({ ts: noon, value: 200 })
  })

  it('is empty for a machine without this hardware, and has the hottest sensor', async () => {
    const { services, clock } = await serviceFixture()
    const temperatures = [
      { Name: 'a', Temperature: 40 },
      { Name: 'b', Temperature: 61 },
    ]
    services.metrics.add(1, { ...noState, temperatures }, clock.now)
    await services.recorder.save()
    const dataPoints = (metric: 'gpu' | 'temperature') =>
      services.metrics.dataPoints(1, metric, '1d', clock.now + second)
    expect(await dataPoints('gpu')).toEqual([])
    expect(await dataPoints('temperature')).toMatchObject([{ value: 61 }])
  })

  it('is the average of the reports that have a value, in every tier', async () => {
    const { services, clock } = await serviceFixture()
    const start = clock.now
    const add = (state: JudgedState, afterMs: number) =>
      services.metrics.add(1, { ...noState, ...state }, start + afterMs)
    // In one bucket, in one minute, and in one of the longer buckets.
    add({ cpu: 40 }, 0)
    add({ cpu: undefined }, second)
    add({ cpu: undefined }, 2 * second)
    await services.recorder.save()
    add({ cpu: undefined }, 31 * second)
    add({ cpu: 60 }, 32 * second)
    await services.recorder.save()
    clock.now = start + 40 * second
    const points = await services.metrics.dataPoints(1, 'cpu', '1d', clock.now)
    expect(points.map(({ value }) => value)).toEqual([40, 60])
    expect((await services.metrics.lastHour(1, 'cpu', clock.now)).at(-1)).toBe(50)
    const week = async () => {
      const { steps } = services.metrics.lastWeek([1, 1], ['load1', 'cpu'], clock.now, true)
      const found = []
      for await (const { servers } of steps) found.push(...servers)
      return found
    }
    expect(await week()).toEqual([[1, [0, 50]]])
    clock.now += 2 * hour
    await services.recorder.thin()
    expect(await services.metrics.dataPoints(1, 'cpu', '7d', clock.now)).toMatchObject([{ value: 50 }])
    expect(await week()).toEqual([[1, [0, 50]]])
  })

  it('goes on in a file from before there was a count of missing values', async () => {
    const folder = temporaryFolder()
    const old = new DatabaseSync(join(folder, 'history.db'))
    const names = ['reports', ...serverMetrics].map((name) => `"${name}"`)
    const start = Date.UTC(2026, 10, 21, 12)
    for (const { step } of tiers) {
      old.exec(`CREATE TABLE "server_${step}" (bucket INTEGER NOT NULL, one INTEGER NOT NULL, other INTEGER NOT NULL,
        ${names.join(', ')}, PRIMARY KEY (bucket, one, other)) WITHOUT ROWID`)
    }
    old.exec(`INSERT INTO "server_30" (bucket, one, other, reports, cpu) VALUES (${start / 1000}, 1, 0, 2, 80)`)
    old.close()
    const history = openHistory(join(folder, 'history.db'))
    onTestFinished(() => history.close())
    const metrics = openServerHistory(history)
    metrics.add(1, { cpu: 60 }, start + 30 * second)
    metrics.add(1, {}, start + 31 * second)
    await metrics.series.flush()
    const points = await metrics.dataPoints(1, 'cpu', '1d', start + 60 * second)
    expect(points.map(({ value }) => value)).toEqual([40, 60])
  })

  it('comes from the reports of machines, and is deleted with the server', async () => {
    const { services, host, clock, store, history } = await serviceFixture()
    services.start()
    host.report({ state: { cpu: 10 }, at: new Date(clock.now) })
    host.report({ state: { cpu: 20 }, at: new Date(clock.now) })
    await services.recorder.save()
    expect(await services.metrics.dataPoints(1, 'cpu', '1d', clock.now + second)).toMatchObject([{ value: 15 }])
    entityTable(store, server).remove([1])
    await services.stop()
    await services.recorder.thin()
    expect(history.rowCount('server')).toBe(0)
  })
})
