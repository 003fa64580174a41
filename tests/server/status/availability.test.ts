import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayOf } from '../../../server/services/history/serviceHistory.ts'
import { createAvailability } from '../../../server/status/history/availability.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'

const [minute, day] = [60_000, 86_400_000]

/** Service checks, and the availability that visitors are shown of service 1. */
async function availabilityFixture() {
  const fixture = await serviceFixture()
  const { services, clock } = fixture
  fixture.add()
  const availability = createAvailability(services.samples, () => clock.now)
  /** What was read is read again. */
  const read = async (id = 1) => {
    await services.recorder.save()
    clock.now += minute
    const found = (await availability.of([id])).get(id)
    if (!found) throw new Error('There is no availability of this service.')
    return found
  }
  const up = () => {
    fixture.host.reply = async () => ({ outcome: 'up', delay: 20 })
  }
  const down = () => {
    fixture.host.reply = async () => ({ outcome: 'down', problem: 'refused' })
  }
  return { ...fixture, availability, read, up, down }
}

const dayText = (at: number) => new Date(dayOf(at)).toISOString().slice(0, 10)

describe('the availability of a service', () => {
  it('has 90 days, today last, which say nothing where nobody has checked', async () => {
    const { read, clock } = await availabilityFixture()
    const { days, up_30, up_90 } = await read()
    expect(days).toHaveLength(90)
    expect(days.at(-1)?.day).toBe(dayText(clock.now))
    expect(days[0]?.day).toBe(new Date(dayOf(clock.now) - 89 * day).toISOString().slice(0, 10))
    expect(new Set(days.map(({ day: name }) => name)).size).toBe(90)
    expect(days.every(({ up, latency, down_minutes }) => up === null && latency === null && down_minutes === 0)).toBe(
      true,
    )
    expect([up_30, up_90]).toEqual([null, null])
  })

  it('has the share of good checks, their latency, and for how long the service was down', async () => {
    const { read, up, down, pass } = await availabilityFixture()
    up()
    await pass(600)
    down()
    await pass(600)
    up()
    await pass(600)
    const { days, up_30, up_90 } = await read()
    const today = days.at(-1)
    expect(today?.up).toBeCloseTo(2 / 3, 1)
    expect(today?.latency).toBe(20)
    // Two results in a row change the status, both times.
    expect(today?.down_minutes).toBe(10)
    expect([up_30, up_90]).toEqual([today?.up, today?.up])
  })

  it('counts no time in which nobody checked, as while the server was off', async () => {
    const { read, down, pass, clock } = await availabilityFixture()
    down()
    await pass(300)
    clock.now += 3 * 60 * minute
    await pass(300)
    const [today] = (await read()).days.slice(-1)
    expect(today?.down_minutes).toBeGreaterThanOrEqual(8)
    expect(today?.down_minutes).toBeLessThanOrEqual(10)
  })

  it('goes on with today each minute, and with a new day at midnight', async () => {
    const { read, down, up, pass, clock } = await availabilityFixture()
    up()
    await pass(60)
    expect((await read()).days.at(-1)?.up).toBe(1)
    down()
    await pass(60)
    expect((await read()).days.at(-1)?.up).toBeLessThan(1)
    const yesterday = dayText(clock.now)
    clock.now += day
    up()
    await pass(60)
    const { days } = await read()
    expect(days.at(-1)).toMatchObject({ day: dayText(clock.now), up: 1 })
    expect(days.at(-2)?.day).toBe(yesterday)
    expect(days.at(-2)?.up).toBeGreaterThan(0)
    expect(days.at(-2)?.up).toBeLessThan(1)
  })

  it('is kept for 90 days, and deleted with the service', async () => {
    const { read, services, clock, table, availability } = await availabilityFixture()
    const now = clock.now
    for (let ago = 120; ago >= 0; ago--) {
      services.samples.add(1, 1, now - ago * day, { outcome: 'up', delay: 5 })
      services.samples.addDowntime(1, now - ago * day, now - ago * day + minute)
    }
    await services.recorder.save()
    await services.recorder.thin()
    const { days } = await read()
    expect(days.every(({ up, down_minutes }) => up === 1 && down_minutes === 1)).toBe(true)
    table.remove([1])
    await services.recorder.save()
    await services.recorder.thin()
    clock.now += day
    expect((await availability.of([1])).get(1)?.days.every(({ up }) => up === null)).toBe(true)
  })

  it('is, for any results on any days, what adding them up gives', async () => {
    const result = fc.record({
      ago: fc.integer({ min: 0, max: 100 }),
      outcome: fc.constantFrom('up', 'down', 'not permitted' as const),
      delay: fc.integer({ min: 0, max: 5_000 }),
      downMs: fc.integer({ min: 0, max: 3 * day }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(result, { maxLength: 60 }), async (results) => {
        const { services, read, clock } = await availabilityFixture()
        const start = clock.now
        const todayBegins = new Date(new Date(start).setHours(0, 0, 0, 0)).getTime()
        for (const { ago, outcome, delay } of results)
          services.samples.add(
            1,
            1,
            start - ago * day,
            outcome === 'up' ? { outcome, delay } : { outcome, problem: '' },
          )
        for (const { downMs } of results) services.samples.addDowntime(1, start - downMs, start)
        const { days, up_30, up_90 } = await read()
        const of = (first: number, last: number) =>
          results.filter(({ ago, outcome }) => ago >= first && ago <= last && outcome !== 'not permitted')
        const share = (all: typeof results) =>
          all.length === 0 ? null : all.filter(({ outcome }) => outcome === 'up').length / all.length
        const expectShare = (found: number | null | undefined, expected: number | null) =>
          expected === null ? expect(found).toBeNull() : expect(found).toBeCloseTo(expected, 9)
        for (let ago = 0; ago < 90; ago++) expectShare(days[89 - ago]?.up, share(of(ago, ago)))
        expectShare(up_30, share(of(0, 29)))
        expectShare(up_90, share(of(0, 89)))
        const delays = of(0, 0).filter(({ outcome }) => outcome === 'up')
        const mean = delays.reduce((sum, { delay }) => sum + delay, 0) / delays.length
        if (delays.length > 0) expect(days[89]?.latency).toBeCloseTo(mean, 6)
        else expect(days[89]?.latency).toBeNull()
        const downToday = results.reduce((sum, { downMs }) => sum + Math.min(downMs, start - todayBegins), 0)
        expect(days[89]?.down_minutes).toBe(Math.round(downToday / minute))
        const downInAll = results.reduce((sum, { downMs }) => sum + downMs, 0)
        const shown = days.reduce((sum, { down_minutes }) => sum + down_minutes, 0)
        expect(Math.abs(shown - downInAll / minute)).toBeLessThanOrEqual(2)
      }),
      { numRuns: 40 },
    )
  })
})
