import { recoveryProblem } from '../../src/domain/alerts/alertRuleProblem.ts'
import type { AlertRulePart } from '../../src/domain/alerts/compileAlert.ts'
import { isCycleType, maxRecoverySeconds, minSamples } from '../../src/schemas/alerts/ruleLimits.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import type { Form } from '../entities/entityTable.ts'
import type { ReachedServers } from '../person.ts'
import { ApiError } from '../wire/apiCall.ts'
import { readTime } from '../wire/readTime.ts'

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

const isUint = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
const isNumber = (value: unknown) => typeof value === 'number'
const isText = (value: unknown) => typeof value === 'string'
const isIdSet = (value: unknown) =>
  kindOf(value) === 'object' &&
  Object.entries(value as object).every(([key, on]) => /^\d+$/.test(key) && typeof on === 'boolean')

const knownKeys: Readonly<Record<string, readonly [isValid: (value: unknown) => boolean, type: string]>> = {
  type: [isText, 'string'],
  min: [isNumber, 'float64'],
  max: [isNumber, 'float64'],
  duration: [isUint, 'uint64'],
  recovery_min: [isNumber, 'float64'],
  recovery_max: [isNumber, 'float64'],
  recovery_duration: [isUint, 'uint64'],
  cover: [isUint, 'uint64'],
  ignore: [isIdSet, 'map[uint64]bool'],
  cycle_start: [isText, 'time.Time'],
  cycle_interval: [isUint, 'uint64'],
  cycle_unit: [isText, 'string'],
}

/**
 * Checks the rules of an alert rule form. Anything that is not an object is refused, `null` too, which makes real
 * servers crash.
 * @throws ApiError
 */
export function readAlertRules(rules: readonly unknown[]): AlertRulePart[] {
  return rules.map((rule) => {
    if (kindOf(rule) !== 'object') throw mismatch(rule, 'rules', 'model.Rule')
    const given = Object.entries(rule as object).filter(([key, value]) => value !== null || !(key in knownKeys))
    for (const [key, value] of given) {
      const [isValid, type] = knownKeys[key] ?? []
      if (isValid && !isValid(value)) throw mismatch(value, `rules.${key}`, type as string)
    }
    const result = { type: '', cover: 0, ...Object.fromEntries(given) } as AlertRulePart
    if (result.cycle_start !== undefined) readTime(result.cycle_start)
    return result
  })
}

function mismatch(value: unknown, field: string, type: string): ApiError {
  const what = typeof value === 'number' ? `number ${value}` : kindOf(value)
  return new ApiError(`json: cannot unmarshal ${what} into Go struct field AlertRuleForm.${field} of type ${type}`)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
