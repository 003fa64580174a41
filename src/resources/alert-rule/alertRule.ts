import type { TextArgs } from '../../../i18n/fillText.ts'
import {
  formatBytes,
  formatDuration,
  formatNumber,
  formatPercent,
  type Language,
} from '../../components/format/format.ts'
import type { AlarmCause } from '../../schemas/alerts/alarmCause.ts'
import { type AlertRuleType, alertRuleTypes, isYesOrNo, subjectOfType } from '../../schemas/alerts/alertRuleTypes.ts'
import { isCycleType, recoveryFields, sampleSeconds } from '../../schemas/alerts/ruleLimits.ts'
import { isObject, type Values } from '../../schemas/define/values.ts'

/** One rule as on the wire or as somebody types it. Keys that the builder does not know are kept. */
export type Rule = Values

/**
 * The rules of the form's value, which is a list or a text being edited; `undefined` if it is not a list of rules.
 */
export function readRules(value: unknown): readonly Rule[] | undefined {
  if (value === null || value === undefined) return []
  if (typeof value !== 'string') return isRules(value) ? value : undefined
  if (value.trim() === '') return []
  try {
    const read: unknown = JSON.parse(value)
    return isRules(read) ? read : undefined
  } catch {
    return undefined
  }
}

function isRules(value: unknown): value is Rule[] {
  return Array.isArray(value) && value.every(isObject)
}

/** A rule with some keys changed; keys set to `undefined` are removed, all others kept. */
export function withChanges(rule: Rule, changes: Rule): Rule {
  return Object.fromEntries(Object.entries({ ...rule, ...changes }).filter(([, value]) => value !== undefined))
}

/** The default rule: half a minute of high CPU use on any server. */
export const newRule = (): Rule => ({ type: 'cpu', max: 90, duration: 10, cover: 0 })

/**
 * A rule with another type. Missing values that the type needs are added. Bounds go where they mean something else: 90
 * percent are not 90 bytes, and 90 % used are not 90 % free.
 * @param now milliseconds since 1970
 */
export function withType(rule: Rule, type: string, now: number): Rule {
  const isAsked = [String(rule.type), type].some((name) => subjectOfType(name) !== undefined)
  const bounds = unitOf(rule.type) === unitOf(type) && !isAsked ? {} : noBounds
  if (!isCycleType(type)) return withChanges(rule, { ...bounds, type, duration: rule.duration ?? 10 })
  return withChanges(rule, {
    ...bounds,
    ...noRecovery,
    type,
    cycle_start: rule.cycle_start ?? startOfMonth(now),
    cycle_interval: rule.cycle_interval ?? 1,
    cycle_unit: rule.cycle_unit ?? 'month',
  })
}

const noBounds = { min: undefined, max: undefined, recovery_min: undefined, recovery_max: undefined }
const noRecovery = Object.fromEntries(recoveryFields.map((name) => [name, undefined]))

/** A rule as servers take it that know nothing of recovery. */
export const withoutRecovery = (rule: Rule): Rule => withChanges(rule, noRecovery)

const unitOf = (type: unknown) => {
  const name = String(type)
  return Object.hasOwn(alertRuleTypes, name) ? alertRuleTypes[name]?.unit : undefined
}

function startOfMonth(now: number): string {
  const today = new Date(now)
  return toRuleTime(new Date(today.getFullYear(), today.getMonth(), 1))
}

/** A time as rules store it, to the second. */
export const toRuleTime = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z')

/** A time as a `datetime-local` input needs it: `2025-01-01T08:30`; '' if it is not a time. */
export function toLocalInputValue(time: unknown): string {
  const date = new Date(String(time ?? ''))
  if (Number.isNaN(date.valueOf())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The entries of a rule's `ignore` list. */
export const ignoredOf = ({ ignore }: Rule): [id: string, isNamed: unknown][] =>
  Object.entries(isObject(ignore) ? ignore : {})

/** The server ids in a rule's `ignore` list: those with `true`. */
export const namedServers = (rule: Rule): number[] =>
  ignoredOf(rule)
    .filter(([, isNamed]) => isNamed === true)
    .map(([id]) => Number(id))

/** Whether a rule covers a server: with cover 1 only the listed ones, else all others. */
export const covers = (rule: Rule, id: number): boolean => namedServers(rule).includes(id) === (rule.cover === 1)

/** The parts of a server that rule warnings use. */
export interface WatchedServer {
  id: number | string
  name?: string
  state?: { gpu?: readonly number[] | null; temperatures?: readonly { Temperature?: number }[] | null }
}

export interface RuleWarning {
  key: string
  args?: TextArgs
}

const maxNames = 3

const hasSensor = {
  gpu: ({ state }: WatchedServer) => (state?.gpu?.length ?? 0) > 0,
  temperatures: ({ state }: WatchedServer) => state?.temperatures?.some(({ Temperature }) => Temperature) ?? false,
}

/**
 * Warnings about rules that servers accept but that hardly do what was meant (docs/contract/CONTRACT.md#57-alert-rules,
 * docs/contract/CONTRACT.md#7-alert-rules-types-and-meaning).
 * @param now milliseconds since 1970
 */
export function ruleWarnings(rule: Rule, servers: readonly WatchedServer[], now: number): RuleWarning[] {
  const type = String(rule.type ?? '')
  const warnings: RuleWarning[] = []
  const ruleType = Object.hasOwn(alertRuleTypes, type) ? alertRuleTypes[type] : undefined
  if (!ruleType) warnings.push({ key: 'resources.alert-rule.values.warn_type', args: { type } })
  const { needs } = ruleType ?? {}
  if (needs) {
    const withoutSensor = servers.filter((server) => covers(rule, Number(server.id)) && !hasSensor[needs](server))
    if (withoutSensor.length > 0)
      warnings.push({ key: `resources.alert-rule.values.warn_${needs}`, args: { names: namesOf(withoutSensor) } })
  }
  const [min, max] = [Number(rule.min ?? 0), Number(rule.max ?? 0)]
  const boundWarning = ruleType && warningOfBounds(ruleType.unit, min, max)
  if (boundWarning) warnings.push({ key: `resources.alert-rule.values.${boundWarning}` })
  if (isCycleType(type) && Date.parse(String(rule.cycle_start)) > now)
    warnings.push({ key: 'resources.alert-rule.values.warn_future' })
  return warnings
}

/** Bounds that every value breaks, or none; 0 is no bound. */
function warningOfBounds(unit: AlertRuleType['unit'], min: number, max: number): string | undefined {
  if (unit === 'none') return undefined
  if (!(min > 0) && !(max > 0)) return 'warn_no_bounds'
  if (max > 0 && min > max) return 'warn_bounds'
  if (unit !== 'percent') return undefined
  if (min > 100) return 'warn_always'
  return max >= 100 && !(min > 0) ? 'warn_never' : undefined
}

function namesOf(servers: readonly WatchedServer[]): string {
  const names = servers.slice(0, maxNames).map(({ id, name }) => name || `#${id}`)
  return [...names, ...(servers.length > maxNames ? ['…'] : [])].join(', ')
}

/** The name of a rule type; unknown types are shown as they are. */
export const ruleTypeText = (type: string, { translate }: Language): string =>
  Object.hasOwn(alertRuleTypes, type) ? translate(`resources.alert-rule.values.type_${type}`) : type

/** A limit or a measured value with its unit. Percentages have one decimal, so that 90.4% is not shown as 90%. */
export function formatRuleValue(value: number, unit: AlertRuleType['unit'], locale: string): string {
  switch (unit) {
    case 'percent':
      return formatPercent(value, locale, 1)
    case 'bytes':
      return formatBytes(value, locale)
    case 'bytes_per_second':
      return `${formatBytes(value, locale)}/s`
    case 'celsius':
      return `${formatNumber(value, locale)} °C`
    case 'days':
      return new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(value)
    default:
      return formatNumber(value, locale)
  }
}

/** A value that triggered an alarm: 'CPU use 97.5%, above 90%', and what it is about where that is known. */
export function alarmCauseText(cause: AlarmCause, language: Language): string {
  return withDetail(valueText(cause, language), cause)
}

/** A text about a cause with the names of what it is about. */
export const withDetail = (text: string, { detail }: AlarmCause): string => (detail ? `${text} (${detail})` : text)

function valueText({ type, value, min, max }: AlarmCause, language: Language): string {
  const { translate, locale } = language
  const what = ruleTypeText(type, language)
  if (value === undefined) return what
  const isAbove = max !== undefined && value > max
  const bound = isAbove ? max : min
  const { unit = 'number' } = alertRuleTypes[type] ?? {}
  const args = { what, value: formatRuleValue(value, unit, locale), bound: formatRuleValue(bound ?? 0, unit, locale) }
  return translate(isAbove ? 'app.alarm.above' : 'app.alarm.below', args)
}

/** The duration of a number of samples: '30 s'. */
export const samplesDuration = (samples: number, { translate }: Language): string =>
  formatDuration(samples * sampleSeconds, translate)

/**
 * Describes a rule in a sentence: 'CPU use stays above 95% for about 30 s, on all servers except web-3', and when it
 * recovers, where the rule says so.
 * @param nameOf a server's name by its id
 */
export function ruleSentence(rule: Rule, nameOf: (id: number) => string, language: Language): string {
  const sentence = failureSentence(rule, nameOf, language)
  return isCycleType(rule.type) ? sentence : withRecovery(sentence, rule, language)
}

function withRecovery(sentence: string, rule: Rule, { translate, locale }: Language): string {
  const [min = 0, max = 0, seconds = 0] = recoveryFields.map((name) => Number(rule[name] ?? 0))
  const hasBounds = min > 0 || max > 0
  if (!hasBounds && !(seconds > 0)) return sentence
  const { unit = 'number' } = alertRuleTypes[String(rule.type)] ?? {}
  const [lower, upper] = [min || Number(rule.min ?? 0), max || Number(rule.max ?? 0)]
  const side = lower > 0 && upper > 0 ? '_between' : upper > 0 ? '_max' : '_min'
  return translate(`resources.alert-rule.values.says_recovers${hasBounds ? side : ''}${seconds > 0 ? '_for' : ''}`, {
    rule: sentence,
    min: formatRuleValue(lower, unit, locale),
    max: formatRuleValue(upper, unit, locale),
    time: formatDuration(seconds, translate),
  })
}

function failureSentence(rule: Rule, nameOf: (id: number) => string, language: Language): string {
  const { translate, locale } = language
  const type = String(rule.type ?? '')
  const what = ruleTypeText(type, language)
  const where = serversText(rule, nameOf, language)
  const time = samplesDuration(Number(rule.duration ?? 0), language)
  if (type === 'offline') return translate('resources.alert-rule.values.says_offline', { time, where })
  if (isYesOrNo(type)) return translate('resources.alert-rule.values.says_so', { what, time, where })
  const [min, max] = [Number(rule.min ?? 0), Number(rule.max ?? 0)]
  if (!(min > 0) && !(max > 0)) return translate('resources.alert-rule.values.says_never', { what })
  const side = min > 0 && max > 0 ? 'outside' : max > 0 ? 'above' : 'below'
  const { unit = 'number' } = alertRuleTypes[type] ?? {}
  const args = { what, where, time, min: formatRuleValue(min, unit, locale), max: formatRuleValue(max, unit, locale) }
  return isCycleType(type)
    ? translate(`resources.alert-rule.values.says_cycle_${side}`, { ...args, cycle: cycleText(rule, language) })
    : translate(`resources.alert-rule.values.says_${side}`, args)
}

function serversText(rule: Rule, nameOf: (id: number) => string, { translate }: Language): string {
  const names = namedServers(rule).map(nameOf).join(', ')
  if (rule.cover === 1) return names || translate('resources.alert-rule.values.on_none')
  if (rule.cover) return translate('resources.alert-rule.values.on_unknown', { code: String(rule.cover) })
  return names
    ? translate('resources.alert-rule.values.on_except', { names })
    : translate('resources.alert-rule.values.on_all')
}

/** Servers treat missing and unknown units as hours. */
function cycleText(rule: Rule, { translate }: Language): string {
  const unit = String(rule.cycle_unit ?? 'hour').toLowerCase()
  const count = Number(rule.cycle_interval ?? 0)
  const knownUnit = ['hour', 'day', 'week', 'month', 'year'].includes(unit) ? unit : 'hour'
  return translate(`resources.alert-rule.values.cycle_${knownUnit}`, { smart_count: count })
}
