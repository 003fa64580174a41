import { type AlertRuleType, alertRuleTypes } from '../../schemas/alerts/alertRuleTypes.ts'
import { formatBytes, formatNumber, formatPercent } from './format.ts'
import type { Language } from './useLanguage.ts'

/** What a rule watches, in words; a type that this console does not know as it stands. */
export const ruleTypeText = (type: string, { translate }: Language): string =>
  Object.hasOwn(alertRuleTypes, type) ? translate(`resources.alert-rule.values.type_${type}`) : type

/** A bound, or what was measured, as people write it. To the tenth: '90% above 90%' would puzzle everybody. */
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
