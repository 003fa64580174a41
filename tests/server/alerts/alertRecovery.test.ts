import { describe, expect, it } from 'vitest'
import { dataApp } from '../../support/console/dataApp.ts'
import { alarmsOf, alertFixture, messagesOf } from '../../support/server/fixtures/alertFixture.ts'

const minute = 20
const cpu = (value: number) => () => [{ state: { cpu: value } }]

describe('a rule with a recovery', () => {
  it('raises one alarm of a value that swings around its bound, and ends it below the second bound', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, recovery_max: 80, duration: 3 }])
    const swing = (check: number) => [{ state: { cpu: check % 10 < 5 ? 95 : 81 } }]
    await fixture.checks(10 * minute, swing)
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
    await fixture.checks(1, cpu(80))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: over'])
    expect(messagesOf(fixture)).toHaveLength(2)
  })

  it('without one raises an alarm at each swing', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, duration: 3 }])
    await fixture.checks(50, (check) => [{ state: { cpu: check % 10 < 5 ? 95 : 81 } }])
    expect(alarmsOf(fixture)).toHaveLength(5)
  })

  it('does not fire below its bound, whatever its second one is', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, recovery_max: 50, duration: 3 }])
    await fixture.checks(minute, cpu(89))
    expect(alarmsOf(fixture)).toEqual([])
  })

  it('waits until values have been well for its time, from the beginning again after each that is not', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, recovery_max: 80, recovery_duration: 180, duration: 3 }])
    await fixture.checks(3, cpu(95))
    await fixture.checks(3 * minute - 1, cpu(70))
    await fixture.checks(1, cpu(85))
    await fixture.checks(3 * minute - 1, cpu(70))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
    await fixture.checks(1, cpu(70))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: over'])
  })

  it('of a server that is gone waits until it has reported for that long', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'offline', duration: 10, recovery_duration: 60 }])
    await fixture.checks(10, cpu(1))
    await fixture.checks(30)
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
    await fixture.checks(5, cpu(1))
    // It is taken for gone half a minute after its last report.
    await fixture.checks(14)
    await fixture.checks(minute - 1, cpu(1))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
    await fixture.checks(1, cpu(1))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: over'])
  })

  it('goes on with its time after a restart, and neither sooner nor from the beginning', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, recovery_max: 80, recovery_duration: 180, duration: 3 }])
    await fixture.checks(3, cpu(95))
    await fixture.checks(2 * minute, cpu(70))
    await fixture.alerts.stop()
    fixture.restart()
    // Longer than its rule looks back, shorter than its time: what nobody has measured is not counted.
    fixture.clock.now += 60_000
    await fixture.checks(minute - 1, cpu(70))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
    await fixture.checks(1, cpu(70))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: over'])
    expect(messagesOf(fixture)).toHaveLength(2)
  })

  it('that was killed lasts a minute longer at most, and no shorter after a value that was not well', async () => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, recovery_max: 80, recovery_duration: 180, duration: 3 }])
    await fixture.checks(3, cpu(95))
    await fixture.checks(3 * minute - 1, cpu(70))
    fixture.restart()
    await fixture.checks(1, cpu(85))
    fixture.restart()
    await fixture.checks(3 * minute - 1, cpu(70))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
    fixture.restart()
    await fixture.checks(minute, cpu(70))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: over'])
  })

  it.each([
    ['a restart that took longer', 181_000, true],
    ['a sleep of the machine that took longer', 181_000, false],
    ['a clock that was set back by more', -190_000, false],
  ])('begins its time anew after %s', async (_, passedMs, isRestart) => {
    const fixture = alertFixture()
    fixture.rule([{ type: 'cpu', max: 90, recovery_max: 80, recovery_duration: 180, duration: 3 }])
    await fixture.checks(3, cpu(95))
    await fixture.checks(3 * minute - 1, cpu(70))
    await fixture.alerts.stop()
    if (isRestart) fixture.restart()
    fixture.clock.now += passedMs
    await fixture.checks(3 * minute - 1, cpu(70))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
    await fixture.checks(1, cpu(70))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: over'])
  })

  it('recovers with the first of several rules that does', async () => {
    const fixture = alertFixture()
    fixture.rule([
      { type: 'cpu', max: 90, recovery_max: 80, duration: 3 },
      { type: 'load1', min: 2, recovery_min: 4, duration: 3 },
    ])
    const both = (busy: number, load_1: number) => () => [{ state: { cpu: busy, load_1 } }]
    await fixture.checks(3, both(95, 1))
    await fixture.checks(minute, both(85, 3))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: running'])
    await fixture.checks(3, both(85, 4))
    expect(alarmsOf(fixture)).toEqual(['rule 1 on 1: over'])
  })
})

describe('the form of a rule with a recovery', () => {
  it.each([
    [{ recovery_max: 91 }, 'recovery_max must not be beyond max'],
    [{ recovery_min: 20 }, 'recovery_min must not be beyond min'],
    [{ min: 20, recovery_min: 10 }, 'recovery_min must not be beyond min'],
    [{ min: 20, recovery_min: 80, recovery_max: 70 }, 'recovery_min must not be beyond recovery_max'],
    [{ recovery_duration: 86_401 }, 'recovery_duration can be at most 86400 seconds'],
    [{ recovery_duration: -1 }, 'recovery_duration of type uint64'],
    [{ recovery_max: '80' }, 'recovery_max of type float64'],
  ])('with %o is refused in words', async (given, words) => {
    const { call } = await dataApp()
    const rules = [{ type: 'cpu', max: 90, duration: 10, cover: 0, ...given }]
    const { body } = await call('POST', 'alert-rule', { name: 'busy', rules })
    expect(body).toMatchObject({ error: expect.stringContaining(words) })
  })

  it('is kept as it came', async () => {
    const { call } = await dataApp()
    const rules = [{ type: 'cpu', max: 90, duration: 10, cover: 0, recovery_max: 80, recovery_duration: 180 }]
    await call('POST', 'alert-rule', { name: 'busy', rules })
    expect((await call('GET', 'alert-rule')).body).toMatchObject({ data: [{ rules }] })
  })
})
