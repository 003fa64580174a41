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
    default:
      return formatNumber(value, locale)
  }
}

/** A value that triggered an alarm: 'CPU use 97.5%, above 90%'. */
export function alarmCauseText({ type, value, min, max }: AlarmCause, language: Language): string {
  const { translate, locale } = language
  const what = ruleTypeText(type, language)
  if (value === undefined) return what
  const isAbove = max !== undefined && value > max
  const bound = isAbove ? max : min
  const { unit = 'number' } = alertRuleTypes[type] ?? {}
  const args = { what, value: formatRuleValue(value, unit, locale), bound: formatRuleValue(bound ?? 0, unit, locale) }
  return translate(isAbove ? 'app.alarm.above' : 'app.alarm.below', args)
}
