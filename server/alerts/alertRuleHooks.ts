import { recoveryProblem } from '../../src/domain/alerts/alertRuleProblem.ts'
import type { AlertRulePart } from '../../src/domain/alerts/compileAlert.ts'
import { isCycleType, maxRecoverySeconds, minSamples } from '../../src/schemas/alerts/ruleLimits.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import type { Form } from '../entities/row.ts'
import type { ReachedServers } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { readTime } from '../wire/readTime.ts'
import { readAlertRules } from './readAlertRules.ts'

interface AlertRuleForm extends Form {
  rules: unknown[] | null
}

/**
 * What saving an alert rule means (docs/contract/CONTRACT.md#57-alert-rules). Unknown types and tasks are accepted, as
 * by real servers.
 * @param now milliseconds since 1970
 */
export const alertRuleHooks = (now: () => number = Date.now): EntityHooks => ({
  validation: 'contract',
  serversOf: ({ rules }) => serversOfRules((rules as AlertRulePart[] | null) ?? []),
  narrowed: (row, servers) => ({ rules: (row.rules as AlertRulePart[]).map((rule) => narrowedRule(rule, servers)) }),
  notFoundError: (id) => `alert id ${id} does not exist`,
  updateReply: (id) => id,
  validate(given) {
    const form = given as AlertRuleForm
    const rules = readAlertRules(form.rules ?? [])
    if (rules.length === 0) throw new ApiError('need to configure at least a single rule')
    for (const rule of rules) checkRule(rule, now())
    return { ...form, rules }
  },
})

/** The servers that rules name; a rule for all servers with exceptions may reach any. */
function serversOfRules(rules: readonly AlertRulePart[]): ReachedServers {
  if (rules.some(({ cover }) => cover !== 1)) return 'all'
  return rules.flatMap(({ ignore = {} }) =>
    Object.keys(ignore)
      .filter((id) => ignore[id])
      .map(Number),
  )
}

/** `cover` 0 is every server but those in `ignore`, and 1 only those. */
function narrowedRule(rule: AlertRulePart, servers: ReadonlySet<number>): AlertRulePart {
  const covered = [...servers].filter((id) => (rule.ignore?.[id] === true) === (rule.cover !== 0))
  return { ...rule, cover: 1, ignore: Object.fromEntries(covered.map((id) => [id, true])) }
}

function checkRule(rule: AlertRulePart, now: number): void {
  if (rule.cover > 1) throw new ApiError('permission denied')
  if ((rule.recovery_duration ?? 0) > maxRecoverySeconds) {
    throw new ApiError(`recovery_duration can be at most ${maxRecoverySeconds} seconds`)
  }
  const recovery = recoveryProblem(rule)
  if (recovery) throw new ApiError(`${recovery.field} must not be beyond ${recovery.bound}`)
  if (!isCycleType(rule.type)) {
    if ((rule.duration ?? 0) < minSamples) throw new ApiError(`duration need to be at least ${minSamples}`)
    return
  }
  if ((rule.cycle_interval ?? 0) < 1) throw new ApiError('cycle_interval need to be at least 1')
  if (rule.cycle_start === undefined) throw new ApiError('cycle_start is not set')
  if (readTime(rule.cycle_start) > now) throw new ApiError('cycle_start is a future value')
}
