import { formatBytes, formatNumber, formatPercent } from '../../components/format/format.ts'
import type { Language } from '../../components/format/useLanguage.ts'
import type { AlarmCause } from '../../schemas/alerts/alarmCause.ts'
import { type AlertRuleType, alertRuleTypes } from '../../schemas/alerts/alertRuleTypes.ts'

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
