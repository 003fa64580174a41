import { describe, expect, it } from 'vitest'
import { metricsOfAlarm } from '../../../src/domain/alerts/recordedMetrics.ts'
import { serverBounds } from '../../../src/resources/server/page/useServerHistory.ts'

const gibibyte = 1024 ** 3
const host = { mem_total: 16 * gibibyte }
const texts = { names: (names: readonly string[]) => names.join(', '), sum: (name: string) => `${name} together` }
const everywhere = { cover: 0, ignore: {} }
const rule = (name: string, part: object, enable = true) => ({ name, enable, rules: [{ ...everywhere, ...part }] })
const boundsOf = (...rules: ReturnType<typeof rule>[]) => serverBounds(rules, 1, host, texts)

describe('The bounds in the charts of a server', () => {
  it('are the upper and the lower one of each rule, in the unit of the chart', () => {
    expect(
      boundsOf(
        rule('busy', { type: 'cpu', max: 90, min: 1 }),
        rule('full', { type: 'memory', max: 50 }),
        rule('flood', { type: 'tcp_conn_count', max: 500 }),
        rule('hot', { type: 'temperature_max', max: 80 }),
      ),
    ).toEqual([
      { value: 80, side: 'max', about: ['temperature'], of: 'hot' },
      { value: 90, side: 'max', about: ['cpu'], of: 'busy' },
      { value: 500, side: 'max', about: ['tcp_conn'], of: 'flood' },
      { value: 8 * gibibyte, side: 'max', about: ['memory'], of: 'full' },
      { value: 1, side: 'min', about: ['cpu'], of: 'busy' },
    ])
  })

  it('are those of enabled rules that watch the server, with all of their parts', () => {
    const elsewhere = { type: 'cpu', max: 80, cover: 1, ignore: { 2: true } }
    const both = { name: 'both', enable: true, rules: [{ ...everywhere, type: 'cpu', max: 70 }, elsewhere] }
    expect(serverBounds([both], 1, host, texts)).toEqual([])
    expect(serverBounds([{ ...both, rules: both.rules.slice(0, 1) }], 1, host, texts)).toHaveLength(1)
    expect(boundsOf(rule('off', { type: 'cpu', max: 60 }, false), rule('elsewhere', elsewhere))).toEqual([])
  })

  it('name all rules with the same bound, and keep to the tightest of many', () => {
    const many = [95, 60, 90, 70, 80].map((max) => rule(`at ${max}`, { type: 'cpu', max }))
    const found = boundsOf(...many, rule('again', { type: 'cpu', max: 60 }))
    expect(found.map(({ value, of }) => [value, of])).toEqual([
      [60, 'at 60, again'],
      [70, 'at 70'],
      [80, 'at 80'],
      [90, 'at 90'],
    ])
  })

  it('leave out what no chart shows: being offline, traffic of a cycle, and shares of an unknown size', () => {
    expect(
      boundsOf(
        rule('gone', { type: 'offline', max: 3 }),
        rule('month', { type: 'transfer_all_cycle', max: 10 ** 12 }),
        rule('disk', { type: 'disk', max: 90 }),
        rule('zero', { type: 'load1', max: 0 }),
        rule('unknown', { type: 'toString', max: 5 }),
      ),
    ).toEqual([])
  })

  it('say of a sum that it is one', () => {
    expect(boundsOf(rule('fast', { type: 'net_all_speed', max: 1000 }))).toEqual([
      { value: 1000, side: 'max', about: ['net_in_speed', 'net_out_speed'], of: 'fast together' },
    ])
  })
})

describe('The charts that an alarm is about', () => {
  it.each([
    [['cpu'], ['cpu']],
    [
      ['temperature_max', 'load5'],
      ['temperature', 'load5'],
    ],
    [['transfer_in_cycle'], ['net_in_transfer']],
    [['offline'], undefined],
    [['cpu', 'offline'], undefined],
    [['unheard_of'], undefined],
    [[], undefined],
  ])('by its causes %j: %j', (types, metrics) => {
    expect(metricsOfAlarm(types)).toEqual(metrics)
  })
})
