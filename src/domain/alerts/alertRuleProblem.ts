import { z } from 'zod'
import { isCycleType, maxRecoverySeconds, minSamples } from '../../schemas/alerts/ruleLimits.ts'
import type { Values } from '../../schemas/define/values.ts'

const number = z.number()
const id = z.string().regex(/^\d+$/)

/** Types of the keys of a rule; all are optional, and `null` is the same as absent. */
export const alertRuleKeys = {
  type: z.string(),
  min: number,
  max: number,
  duration: z.int().min(0),
  recovery_min: number,
  recovery_max: number,
  recovery_duration: z.int().min(0).max(maxRecoverySeconds),
  cover: z.int().min(0),
  ignore: z.record(id, z.boolean()),
  cycle_start: z.string(),
  cycle_interval: z.int().min(0),
  cycle_unit: z.string(),
} as const satisfies Readonly<Record<string, z.ZodType>>

/** RFC 3339, as `2025-01-01T00:00:00Z`. */
const isDateTime = (text: unknown) => z.iso.datetime({ offset: true }).safeParse(text).success

interface RuleProblem {
  key: string
  field?: string
  bound?: string
}

/** Why servers would refuse a rule: an i18n key with its arguments; `undefined` if they accept it. */
export function alertRuleProblem(rule: Values): RuleProblem | undefined {
  for (const [field, type] of Object.entries(alertRuleKeys)) {
    const value = rule[field] ?? undefined
    if (value !== undefined && !type.safeParse(value).success) return { key: 'validation.rule_field', field }
  }
  if (!rule.type) return { key: 'validation.rule_field', field: 'type' }
  const recovery = recoveryProblem(rule)
  if (recovery) return { key: 'validation.rule_recovery', ...recovery }
  if (!isCycleType(rule.type)) {
    return Number(rule.duration ?? 0) < minSamples ? { key: 'validation.rule_samples' } : undefined
  }
  if (Number(rule.cycle_interval ?? 0) < 1) return { key: 'validation.rule_interval' }
  if (!rule.cycle_start) return { key: 'validation.rule_start' }
  return isDateTime(rule.cycle_start) ? undefined : { key: 'validation.rule_moment' }
}

/**
 * Which bound of the recovery is beyond another one, with which no value could recover; `undefined` if none is. 0 and
 * absent mean no bound.
 * @param rule with numbers in its bounds
 */
export function recoveryProblem(rule: Values): RecoveryProblem | undefined {
  const value = (field: string) => Number(rule[field] ?? 0)
  const [min, max] = [value('min'), value('max')]
  const [lower, upper] = [value('recovery_min'), value('recovery_max')]
  if (upper > 0 && upper > max) return { field: 'recovery_max', bound: 'max' }
  if (lower > 0 && (lower < min || !(min > 0))) return { field: 'recovery_min', bound: 'min' }
  return upper > 0 && lower > upper ? { field: 'recovery_min', bound: 'recovery_max' } : undefined
}

interface RecoveryProblem {
  field: string
  bound: string
}
