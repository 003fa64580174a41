import { formatBytes, formatDuration, formatNumber, formatPercent } from '../../components/format/format.ts'
import type { Language } from '../../components/format/useLanguage.ts'
import type { AlarmCause } from '../../schemas/alerts/alarmCause.ts'
import { type AlertRuleType, alertRuleTypes, isYesOrNo } from '../../schemas/alerts/alertRuleTypes.ts'
import { isCycleType, recoveryFields, sampleSeconds } from '../../schemas/alerts/ruleLimits.ts'
import { namedServers, type Rule } from './alertRule.ts'

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
