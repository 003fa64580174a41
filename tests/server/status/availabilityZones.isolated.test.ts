import { describe, expect, it } from 'vitest'
import { dayOf } from '../../../server/services/history/serviceHistory.ts'
import { createAvailability } from '../../../server/status/history/availability.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'

const [minute, hour] = [60_000, 3_600_000]

/** The last days of service 1 that was down in a time, on a machine in a zone. */
async function lastDays(zone: string, from: string, until: string) {
  process.env.TZ = zone
  const end = Date.parse(until)
  const { services, clock, add } = await serviceFixture({ clock: { now: end } })
  add()
  services.samples.addDowntime(1, Date.parse(from), end)
  await services.recorder.save()
  const days = (await createAvailability(services.samples, () => clock.now).of([1])).get(1)?.days ?? []
  return days.slice(-3).map(({ day, down_minutes }) => [day, down_minutes])
}

describe('a day of availability', () => {
  it.each([
    [
      'UTC',
      [
        ['2026-11-19', 0],
        ['2026-11-20', 120],
        ['2026-11-21', 60],
      ],
    ],
    [
      'Pacific/Auckland',
      [
        ['2026-11-19', 0],
        ['2026-11-20', 0],
        ['2026-11-21', 180],
      ],
    ],
    [
      'America/Los_Angeles',
      [
        ['2026-11-18', 0],
        ['2026-11-19', 0],
        ['2026-11-20', 180],
      ],
    ],
    [
      'Asia/Kathmandu',
      [
        ['2026-11-19', 0],
        ['2026-11-20', 0],
        ['2026-11-21', 180],
      ],
    ],
  ])('is one of the clocks of this machine, in %s', async (zone, wanted) => {
    expect(await lastDays(zone, '2026-11-20T22:00:00Z', '2026-11-21T01:00:00Z')).toEqual(wanted)
  })

  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
  ])('has as many hours as it has where clocks change: %s has %i', async (date, hours) => {
    process.env.TZ = 'Europe/Rome'
    const midnight = new Date(`${date}T00:00:00`).getTime()
    const next = midnight + hours * hour
    const days = await lastDays(
      'Europe/Rome',
      new Date(midnight - hour).toISOString(),
      new Date(next + hour).toISOString(),
    )
    expect(days.map(([, minutes]) => minutes)).toEqual([60, hours * 60, 60])
    expect(days[1]?.[0]).toBe(date)
    expect(dayOf(next) - dayOf(next - minute)).toBe(24 * hour)
  })
})
