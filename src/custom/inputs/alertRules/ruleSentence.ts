import { alertRuleTypes, isCycleType, sampleSeconds } from '../../../schemas/alerts/alertRuleTypes.ts'
import { amount, typeName } from '../../format/alertRuleText.ts'
import { formatDuration } from '../../format/format.ts'
import type { Words } from '../../format/useLanguage.ts'
import { namedServers, type Rule } from './alertRule.ts'

/** How long so many samples take: '30 s'. */
export const samplesLast = (samples: number, { translate }: Words): string =>
  formatDuration(samples * sampleSeconds, translate)

/**
 * What a rule does, as a sentence: 'CPU use stays above 95% for about 30 s, on all servers except web-3'.
 * @param nameOf a server's name by its id
 */
export function ruleSentence(rule: Rule, nameOf: (id: number) => string, words: Words): string {
  const { translate, locale } = words
  const type = String(rule.type ?? '')
  const what = typeName(type, words)
  const where = placeOf(rule, nameOf, words)
  const time = samplesLast(Number(rule.duration ?? 0), words)
  if (type === 'offline') return translate('resources.alert-rule.values.says_offline', { time, where })
  const [min, max] = [Number(rule.min ?? 0), Number(rule.max ?? 0)]
  if (!(min > 0) && !(max > 0)) return translate('resources.alert-rule.values.says_never', { what })
  const side = min > 0 && max > 0 ? 'outside' : max > 0 ? 'above' : 'below'
  const { unit = 'number' } = alertRuleTypes[type] ?? {}
  const args = { what, where, time, min: amount(min, unit, locale), max: amount(max, unit, locale) }
  return isCycleType(type)
    ? translate(`resources.alert-rule.values.says_cycle_${side}`, { ...args, cycle: cycleOf(rule, words) })
    : translate(`resources.alert-rule.values.says_${side}`, args)
}

function placeOf(rule: Rule, nameOf: (id: number) => string, { translate }: Words): string {
  const names = namedServers(rule).map(nameOf).join(', ')
  if (rule.cover === 1) return names || translate('resources.alert-rule.values.on_none')
  return names
    ? translate('resources.alert-rule.values.on_except', { names })
    : translate('resources.alert-rule.values.on_all')
}

/** Servers take a unit they do not know, and none, for hours. */
function cycleOf(rule: Rule, { translate }: Words): string {
  const unit = String(rule.cycle_unit ?? 'hour').toLowerCase()
  const count = Number(rule.cycle_interval ?? 0)
  const known = ['hour', 'day', 'week', 'month', 'year'].includes(unit) ? unit : 'hour'
  return translate(`resources.alert-rule.values.cycle_${known}`, { smart_count: count })
}
