import type { TextArgs } from '../../../i18n/fillText.ts'
import { type AlertRuleType, alertRuleTypes } from '../../schemas/alerts/alertRuleTypes.ts'
import { isCycleType } from '../../schemas/alerts/ruleLimits.ts'
import { covers, type Rule } from './alertRule.ts'

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
