import { describe, expect, it } from 'vitest'
import {
  covers,
  readRules,
  ruleSentence,
  ruleWarnings,
  toLocalInputValue,
  toRuleTime,
  withChanges,
  withType,
} from '../../../src/resources/alert-rule/alertRule.ts'
import { alertRule } from '../../../src/schemas/alertRule.ts'
import { alertRuleTypes } from '../../../src/schemas/alerts/alertRuleTypes.ts'
import { english } from '../../support/console/texts.ts'

const now = Date.parse('2026-11-21T00:00:00Z')

/** English without plural forms and numbers: enough to read a sentence. */
const words = {
  locale: 'en-US',
  translate: (key: string, args: Record<string, unknown> = {}) =>
    (english.get(key) ?? key)
      .split(' |||| ')
      [args.smart_count === 1 ? 0 : 1]?.replaceAll(/%\{(\w+)\}/g, (_, name) => String(args[name])) ??
    (english.get(key) ?? key).replaceAll(/%\{(\w+)\}/g, (_, name) => String(args[name])),
}
const sentenceOf = (rule: Record<string, unknown>) => ruleSentence(rule, (id) => `web-${id}`, words)

describe('the sentence of a rule', () => {
  it.each([
    [
      { type: 'cpu', max: 95, duration: 10, ignore: { 3: true } },
      'CPU use stays above 95% for about 30 s, on all servers except web-3',
    ],
    [
      { type: 'load5', min: 0.5, duration: 20, cover: 1, ignore: { 1: true, 2: true } },
      'Load, 5 min stays below 0.5 for about 1 min, on web-1, web-2',
    ],
    [
      { type: 'memory', min: 5, max: 90, duration: 3 },
      'Memory use stays below 5% or above 90% for about 9 s, on all servers',
    ],
    [
      { type: 'net_in_speed', max: 1048576, duration: 10, cover: 1 },
      'Incoming speed stays above 1 MiB/s for about 30 s, on no server',
    ],
    [{ type: 'offline', duration: 60 }, 'No report for about 3 min, on all servers'],
    [{ type: 'cpu', duration: 10 }, 'CPU use has no bound: the rule never fails'],
    [
      { type: 'transfer_in_cycle', max: 1024 ** 4, cycle_interval: 2, cycle_unit: 'WEEK' },
      'Incoming traffic per cycle goes above 1 TiB within a cycle of 2 weeks, on all servers',
    ],
    [
      { type: 'cpu', max: 90, duration: 10, recovery_max: 80, recovery_duration: 180 },
      'CPU use stays above 90% for about 30 s, on all servers. Recovers at 80% or less for 3 min',
    ],
    [
      { type: 'load1', min: 1, max: 9, duration: 10, recovery_min: 2 },
      'Load, 1 min stays below 1 or above 9 for about 30 s, on all servers. Recovers between 2 and 9',
    ],
    [
      { type: 'offline', duration: 10, recovery_duration: 60 },
      'No report for about 30 s, on all servers. Recovers after 1 min without a failure',
    ],
    [{ type: 'unit_failed', duration: 10 }, 'Unit failed for about 30 s, on all servers'],
    [
      { type: 'reboot_needed', duration: 3, recovery_duration: 600, cover: 1, ignore: { 1: true } },
      'Reboot needed for about 9 s, on web-1. Recovers after 10 min without a failure',
    ],
    [
      { type: 'updates_waiting', max: 7, duration: 3 },
      'Time that an update waits stays above 7 days for about 9 s, on all servers',
    ],
    [
      { type: 'disk_free_min', min: 10, duration: 3 },
      'Free space on the fullest disk stays below 10% for about 9 s, on all servers',
    ],
    [{ type: 'banana', max: 3, duration: 3 }, 'banana stays above 3 for about 9 s, on all servers'],
  ])('%j', (rule, sentence) => {
    expect(sentenceOf(rule)).toBe(sentence)
  })

  it('has a name for every type', () => {
    const missing = Object.keys(alertRuleTypes).filter(
      (type) => !english.has(`resources.alert-rule.values.type_${type}`),
    )
    expect(missing).toEqual([])
  })
})

describe('the warnings of a rule', () => {
  const bare = { id: 1, name: 'bare', state: {} }
  const full = { id: 2, name: 'full', state: { gpu: [3], temperatures: [{ Temperature: 0 }, { Temperature: 40 }] } }
  const cold = { id: 3, name: 'cold', state: { temperatures: [{ Temperature: 0 }] } }
  const warnings = (rule: Record<string, unknown>) =>
    ruleWarnings(rule, [bare, full, cold], now).map(({ key, args }) => [key.split('.').at(-1), args])

  it('are none for an ordinary rule', () => {
    expect(warnings({ type: 'cpu', max: 90, duration: 10 })).toEqual([])
  })

  it('name the covered servers that lack the metric', () => {
    expect(warnings({ type: 'gpu_max', max: 90 })).toEqual([['warn_gpu', { names: 'bare, cold' }]])
    expect(warnings({ type: 'gpu_max', max: 90, ignore: { 1: true, 3: true } })).toEqual([])
    expect(warnings({ type: 'temperature_max', max: 90, cover: 1, ignore: { 2: true, 3: true } })).toEqual([
      ['warn_temperatures', { names: 'cold' }],
    ])
  })

  it('appear for an unknown type, impossible bounds, and a cycle in the future', () => {
    expect(warnings({ type: 'banana' })).toEqual([['warn_type', { type: 'banana' }]])
    expect(warnings({ type: 'toString' })).toEqual([['warn_type', { type: 'toString' }]])
    expect(warnings({ type: 'cpu', min: 91, max: 90 })).toEqual([['warn_bounds', undefined]])
    expect(warnings({ type: 'memory', max: 0 })).toEqual([['warn_no_bounds', undefined]])
    expect(warnings({ type: 'disk', max: 100 })).toEqual([['warn_never', undefined]])
    expect(warnings({ type: 'swap', min: 101 })).toEqual([['warn_always', undefined]])
    expect(warnings({ type: 'offline' })).toEqual([])
    expect(warnings({ type: 'transfer_in', max: 100 })).toEqual([])
    expect(warnings({ type: 'transfer_in_cycle', max: 1, cycle_start: '2027-01-01T00:00:00Z' })).toEqual([
      ['warn_future', undefined],
    ])
  })
})

describe('the builder', () => {
  it('reads a list and a JSON text, and rejects what is not a list of rules', () => {
    expect(readRules([{ type: 'cpu' }])).toEqual([{ type: 'cpu' }])
    expect(readRules(' [{"type": "cpu"}] ')).toEqual([{ type: 'cpu' }])
    expect(readRules(null)).toEqual([])
    expect(readRules('')).toEqual([])
    for (const value of ['[', '{}', '[1]', '[null]', [null], { type: 'cpu' }]) expect(readRules(value)).toBeUndefined()
  })

  it('changes one key and keeps all others, also unknown ones', () => {
    const rule = { type: 'cpu', max: 1, mood: { later: null } }
    expect(withChanges(rule, { max: undefined, min: 2 })).toEqual({ type: 'cpu', min: 2, mood: { later: null } })
  })

  it('adds what another type needs, and keeps all but bounds in another unit', () => {
    const total = { type: 'transfer_all', max: 1, duration: 7, x: 1 }
    const cycle = withType(total, 'transfer_all_cycle', now)
    expect(cycle).toMatchObject({ ...total, type: 'transfer_all_cycle', cycle_interval: 1 })
    expect(Date.parse(String(cycle.cycle_start))).toBeLessThanOrEqual(now)
    const { max, ...unbounded } = cycle
    expect(withType({ ...cycle, min: 5 }, 'memory', now)).toEqual({ ...unbounded, type: 'memory' })
    expect(withType({ type: 'cpu', max: 90, duration: 10 }, 'memory', now)).toMatchObject({ max: 90 })
    const recovering = { type: 'cpu', max: 90, duration: 10, recovery_max: 80, recovery_duration: 60 }
    expect(withType(recovering, 'memory', now)).toEqual({ ...recovering, type: 'memory' })
    expect(withType(recovering, 'load1', now)).toEqual({ type: 'load1', duration: 10, recovery_duration: 60 })
    expect(withType(recovering, 'transfer_in_cycle', now)).not.toHaveProperty('recovery_duration')
    for (const type of ['net_in_speed', 'temperature_max', 'offline', 'load1', 'transfer_in_cycle', 'banana'])
      expect(withType({ type: 'cpu', max: 90, duration: 10 }, type, now)).not.toHaveProperty('max')
  })

  it('shows a start in local time and reads it back as the same time', () => {
    const moment = '2025-01-01T08:30:00Z'
    expect(toRuleTime(new Date(toLocalInputValue(moment)))).toBe(moment)
    expect(toLocalInputValue('nonsense')).toBe('')
  })

  it('knows which servers a rule covers', () => {
    const ignore = { 1: true, 2: false }
    expect([1, 2, 3].filter((id) => covers({ cover: 0, ignore }, id))).toEqual([2, 3])
    expect([1, 2, 3].filter((id) => covers({ cover: 1, ignore }, id))).toEqual([1])
  })
})

describe('the rules of an alert', () => {
  const problemsOf = (rules: unknown) => {
    const result = alertRule.form.shape.rules.safeParse(rules)
    return result.success
      ? []
      : result.error.issues.map((issue) => (issue.code === 'custom' ? issue.params : issue.code))
  }

  it.each([
    ['[]', { key: 'validation.rules_missing' }],
    ['nonsense', { key: 'validation.json' }],
    ['[{}]', { key: 'validation.rule_field', field: 'type', rule: 1 }],
    ['[{"type": "cpu", "duration": 2}]', { key: 'validation.rule_samples', rule: 1 }],
    ['[{"type": "cpu", "duration": 3, "max": "9"}]', { key: 'validation.rule_field', field: 'max', rule: 1 }],
    ['[{"type": "cpu", "duration": 3, "cover": -1}]', { key: 'validation.rule_field', field: 'cover', rule: 1 }],
    ['[{"type": "cpu", "duration": 3, "cover": 0.5}]', { key: 'validation.rule_field', field: 'cover', rule: 1 }],
    [
      '[{"type": "cpu", "duration": 3, "max": 90, "recovery_max": 91}]',
      { key: 'validation.rule_recovery', field: 'recovery_max', bound: 'max', rule: 1 },
    ],
    [
      '[{"type": "cpu", "duration": 3, "max": 90, "recovery_min": 10}]',
      { key: 'validation.rule_recovery', field: 'recovery_min', bound: 'min', rule: 1 },
    ],
    [
      '[{"type": "cpu", "duration": 3, "max": 90, "recovery_duration": 86401}]',
      { key: 'validation.rule_field', field: 'recovery_duration', rule: 1 },
    ],
    ['[{"type": "transfer_in_cycle"}]', { key: 'validation.rule_interval', rule: 1 }],
    ['[{"type": "transfer_in_cycle", "cycle_interval": 1}]', { key: 'validation.rule_start', rule: 1 }],
    [
      '[{"type": "transfer_in_cycle", "cycle_interval": 1, "cycle_start": "2025-01-01 00:00"}]',
      { key: 'validation.rule_moment', rule: 1 },
    ],
  ])('are refused with rule number and reason: %s', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem])
  })

  it('are accepted with an unknown type, unknown keys and a start in any zone', () => {
    const rules = [
      { type: 'banana', duration: 3, mood: [null] },
      { type: 'transfer_in_cycle', cycle_interval: 1, cycle_start: '2025-01-01T00:00:00+08:00', ignore: null },
    ]
    expect(alertRule.form.shape.rules.parse(rules)).toEqual(rules)
  })
})
