import type { Locale } from '../../i18n/locales.ts'
import type { CompiledAlert } from '../../src/domain/alerts/compileAlert.ts'
import type { AlarmCause } from '../../src/schemas/alerts/alarmCause.ts'
import { type AlertRuleType, alertRuleTypes } from '../../src/schemas/alerts/alertRuleTypes.ts'
import { sampleSeconds } from '../../src/schemas/alerts/ruleLimits.ts'
import { formatBytes } from '../notifications/serverPlaceholders.ts'
import type { Messages } from '../site/messages.ts'
import { formatNumber } from '../site/numberFormat.ts'
import { spanText } from '../site/spanText.ts'
import { readTexts } from '../texts.ts'

const ruleTexts = readTexts('alert-rule')

/**
 * What was measured, for people: 'CPU use 97.5% (limit 90%) for 6 min', one line for each rule that failed. Rules without
 * a value have a line where it is known what they are about; those about offline servers have none.
 * @param seconds how long it had been so when the alarm began; 0 where that is not known, as for the traffic of a cycle
 */
export function causeLines(messages: Messages, causes: readonly AlarmCause[], seconds: number): string[] {
  return causes.flatMap((cause) => {
    const { value, detail } = cause
    if (value === undefined) return detail ? [`${metricName(messages, cause.type)}: ${detail}`] : []
    const bound = boundOf(cause)
    const format = (number: number) => valueText(number, alertRuleTypes[cause.type]?.unit, messages.locale())
    const values = {
      what: metricName(messages, cause.type),
      value: format(value),
      limit: bound === undefined ? '–' : format(bound),
      time: spanText(seconds * 1000, messages.locale()),
    }
    const line = messages(seconds > 0 ? 'alarm_value_for' : 'alarm_value', values)
    return [detail ? `${line}: ${detail}` : line]
  })
}

/** The bound that a value is beyond. */
const boundOf = ({ value = 0, min, max }: AlarmCause) => (max !== undefined && value > max ? max : (min ?? max))

function metricName(messages: Messages, type: string): string {
  const names: Readonly<Record<string, string>> = ruleTexts[messages.locale()].resources['alert-rule'].values
  return Object.hasOwn(alertRuleTypes, type) ? (names[`type_${type}`] ?? type) : type
}

/** For how many seconds all rules of an alert had failed when it fired. */
export const failingSeconds = ({ rules }: CompiledAlert): number =>
  rules.reduce((longest, rule) => (rule.kind === 'cycle' ? longest : Math.max(longest, rule.sampleCount)), 0) *
  sampleSeconds

function valueText(value: number, unit: AlertRuleType['unit'] | undefined, locale: Locale): string {
  switch (unit) {
    case 'percent':
      return formatNumber(value / 100, 'percent', locale)
    case 'bytes':
      return formatBytes(value)
    case 'bytes_per_second':
      return `${formatBytes(value)}/s`
    case 'days':
      return formatNumber(Math.round(value * 10) / 10, 'day', locale)
    case 'celsius':
      return `${formatNumber(value, 'oneDecimal', locale)} °C`
    default:
      return formatNumber(value, 'twoDecimals', locale)
  }
}
