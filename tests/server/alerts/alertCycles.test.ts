import { describe, expect, it } from 'vitest'
import {
  type AlertFixture,
  alarmsOf,
  alertFixture,
  messagesOf,
  noon,
} from '../../support/server/fixtures/alertFixture.ts'

const month = { cycle_start: '2026-11-01T00:00:00Z', cycle_interval: 1, cycle_unit: 'MONTH' }

/** A report with these counters; without `uptime`, the machine was booted before the cycle. */
const counters = (received: number, sent = 0, uptime = 0) => ({
  state: { net_in_transfer: received, net_out_transfer: sent, uptime },
})

const report = (fixture: AlertFixture, ...reports: (ReturnType<typeof counters> | undefined)[]) =>
  fixture.checks(1, () => reports)

const transferOf = ({ alerts }: AlertFixture, rule = 1) => alerts.cycleTransferStats()?.[rule]?.transfer

/** Lets time pass without reports and checks. */
function pass(fixture: AlertFixture, ms: number): void {
  fixture.clock.now += ms
}

describe('a cycle rule', () => {
  it('counts the traffic of the cycle, and starts at 0 in the next one', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'transfer_all_cycle', max: 1e12, ...month }])
    await report(fixture, counters(5_000, 700))
    expect(transferOf(fixture)).toEqual({ 1: 0 })
    await report(fixture, counters(5_600, 750))
    expect(transferOf(fixture)).toEqual({ 1: 650 })
    pass(fixture, Date.parse('2026-11-30T23:59:50Z') - fixture.clock.now)
    await report(fixture, counters(6_000, 800))
    expect(transferOf(fixture)).toEqual({ 1: 1_100 })
    pass(fixture, 10_000)
    await report(fixture, counters(6_040, 801))
    expect(transferOf(fixture)).toEqual({ 1: 41 })
    expect(fixture.alerts.cycleTransferStats()?.[1]).toMatchObject({
      from: '2026-12-01T00:00:00Z',
      to: '2027-01-01T00:00:00Z',
    })
  })

  it.each([
    ['transfer_in_cycle', 600],
    ['transfer_out_cycle', 50],
    ['transfer_all_cycle', 650],
  ])('%s counts %i', async (type, bytes) => {
    const fixture = alertFixture()
    fixture.rule([{ type, max: 1e12, ...month }])
    await report(fixture, counters(5_000, 700))
    await report(fixture, counters(5_600, 750))
    expect(transferOf(fixture)).toEqual({ 1: bytes })
  })

  it('counts all traffic since the boot of a machine that was booted within the cycle', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'transfer_in_cycle', max: 1e12, ...month }])
    await report(fixture, counters(5_000, 0, 3 * 86_400))
    expect(transferOf(fixture)).toEqual({ 1: 5_000 })
  })

  it('adds up the traffic before and after a reboot that resets the counters', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'transfer_all_cycle', max: 1e12, ...month }])
    await report(fixture, counters(5_000, 700))
    await report(fixture, counters(5_600, 750))
    await report(fixture, counters(20, 10))
    expect(transferOf(fixture)).toEqual({ 1: 680 })
    await report(fixture, counters(120, 30))
    expect(transferOf(fixture)).toEqual({ 1: 800 })
  })

  it('detects a reboot by the uptime when the counters are already higher than before', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'transfer_in_cycle', max: 1e12, ...month }])
    const year = 365 * 86_400
    await report(fixture, counters(5_000, 0, year))
    await report(fixture, counters(5_600, 0, year + 3))
    pass(fixture, 86_400_000)
    await report(fixture, counters(9_000, 0, 3_600))
    expect(transferOf(fixture)).toEqual({ 1: 9_600 })
  })

  it('does not count when a network interface disappears', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'transfer_in_cycle', max: 1e12, ...month }])
    const year = 365 * 86_400
    await report(fixture, counters(5_000, 0, year))
    await report(fixture, counters(5_600, 0, year + 3))
    await report(fixture, counters(1_000, 0, year + 6))
    expect(transferOf(fixture)).toEqual({ 1: 600 })
    await report(fixture, counters(1_010, 0, year + 9))
    expect(transferOf(fixture)).toEqual({ 1: 610 })
  })

  it('keeps its totals across restarts, including the traffic meanwhile', async () => {
    const fixture = alertFixture({ servers: 2 })
    fixture.rule([{ type: 'transfer_in_cycle', max: 1e12, ...month }])
    await report(fixture, counters(5_000), counters(80))
    await report(fixture, counters(5_600), counters(90))
    fixture.restart()
    pass(fixture, 3_600_000)
    await report(fixture, counters(7_000))
    expect(transferOf(fixture)).toEqual({ 1: 2_000, 2: 10 })
    fixture.restart()
    // Rebooted during the stop: what it had counted up to its last report is known.
    await report(fixture, counters(100), counters(95))
    expect(transferOf(fixture)).toEqual({ 1: 2_100, 2: 15 })
    fixture.restart()
    pass(fixture, 30 * 86_400_000)
    await report(fixture, counters(150), counters(95))
    expect(transferOf(fixture)).toEqual({ 1: 50, 2: 0 })
  })

  it('fires only when it is evaluated, which happens more often near the limit', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'transfer_in_cycle', max: 1_000, ...month }])
    await report(fixture, counters(5_000))
    const next = () =>
      (Date.parse(fixture.alerts.cycleTransferStats()?.[1]?.next_update[1] ?? '') - fixture.clock.now) / 1000
    expect(next()).toBe(1_800)
    pass(fixture, 1_794_000)
    await report(fixture, counters(5_800))
    expect([messagesOf(fixture), next()]).toEqual([[], 3])
    await report(fixture, counters(5_800))
    expect([messagesOf(fixture), next()]).toEqual([[], 360])
    pass(fixture, 354_000)
    await report(fixture, counters(6_001))
    expect(messagesOf(fixture)).toEqual([])
    await report(fixture, counters(6_001))
    expect([messagesOf(fixture), next()]).toEqual([['[Incident] web-1(10.****.1) rule'], 180])
    expect(fixture.alarms.all()[0]?.causes).toEqual([{ type: 'transfer_in_cycle', value: 1_001, max: 1_000 }])
  })

  it('keeps the time of its next evaluation across restarts', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'transfer_in_cycle', max: 1_000, ...month }])
    await report(fixture, counters(5_000))
    const next = () => fixture.alerts.cycleTransferStats()?.[1]?.next_update[1]
    const before = next()
    expect(before).toBe('2026-11-21T12:30:03Z')
    fixture.restart()
    await report(fixture, counters(9_000))
    expect([messagesOf(fixture), next()]).toEqual([[], before])
    pass(fixture, 1_797_000)
    await report(fixture, counters(9_000))
    expect(messagesOf(fixture)).toHaveLength(1)
    fixture.restart()
    await report(fixture, counters(9_000))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
  })

  it('recovers immediately in a new cycle', async () => {
    const fixture = alertFixture({ start: Date.parse('2026-11-30T23:59:00Z') })
    fixture.rule([{ type: 'transfer_in_cycle', max: 1_000, ...month }])
    await report(fixture, counters(5_000, 0, 3_600))
    expect(messagesOf(fixture)).toHaveLength(1)
    pass(fixture, 54_000)
    await report(fixture, counters(5_010, 0, 3_657))
    expect(messagesOf(fixture)).toHaveLength(2)
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: over'])
  })

  it('keeps its total when the rule is edited or disabled, and starts at 0 with another calendar', async () => {
    const fixture = alertFixture()
    const rule = { type: 'transfer_in_cycle', max: 1_000, ...month }
    const id = fixture.rule([rule])
    await report(fixture, counters(5_000))
    await report(fixture, counters(5_300))
    fixture.edit(id, { enable: false })
    await report(fixture, counters(5_400))
    expect(transferOf(fixture)).toBeUndefined()
    fixture.edit(id, { enable: true, rules: [{ ...rule, max: 2_000 }] })
    await report(fixture, counters(5_500))
    expect(transferOf(fixture)).toEqual({ 1: 500 })
    fixture.edit(id, { rules: [{ ...rule, cycle_unit: 'week' }] })
    await report(fixture, counters(5_600))
    expect(transferOf(fixture)).toEqual({ 1: 0 })
  })

  it('counts while the rule is disabled, also across a reboot', async () => {
    const fixture = alertFixture()
    const id = fixture.rule([{ type: 'transfer_in_cycle', max: 1_000, ...month }])
    await report(fixture, counters(5_000, 0, 90 * 86_400))
    fixture.edit(id, { enable: false })
    await report(fixture, counters(5_400, 0, 90 * 86_400 + 3))
    await report(fixture, counters(100, 0, 2))
    fixture.edit(id, { enable: true })
    await report(fixture, counters(150, 0, 5))
    expect(transferOf(fixture)).toEqual({ 1: 550 })
  })

  it('is shown only while enabled, and only for visible servers', async () => {
    const fixture = alertFixture({ servers: 2 })
    fixture.rule([{ type: 'cpu', max: 90, duration: 3 }], { name: 'no cycle' })
    fixture.rule([{ type: 'transfer_in_cycle', max: 1_000, min: 5, ...month }], { name: 'monthly' })
    await report(fixture, counters(1), counters(1))
    expect(fixture.alerts.cycleTransferStats(({ id }) => id === 2)).toEqual({
      2: {
        name: 'monthly',
        from: '2026-11-01T00:00:00Z',
        to: '2026-12-01T00:00:00Z',
        max: 1_000,
        min: 5,
        server_name: { 2: 'web-2' },
        transfer: { 2: 0 },
        next_update: { 2: '2026-11-21T12:30:03Z' },
      },
    })
    expect(fixture.alerts.cycleTransferStats(() => false)).toBeUndefined()
    expect(fixture.clock.now).toBe(noon + 3_000)
  })
})
