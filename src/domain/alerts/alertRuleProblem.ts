import { z } from 'zod'
import { isCycleType, minSamples } from '../../schemas/alerts/alertRuleTypes.ts'

const number = z.number()
const id = z.string().regex(/^\d+$/)

/** Types of the keys of a rule; all are optional. */
const keyTypes: Readonly<Record<string, z.ZodType>> = {
  type: z.string(),
  min: number,
  max: number,
  duration: z.int().min(0),
  cover: z.int().min(0),
  ignore: z.record(id, z.boolean()),
  cycle_start: z.string(),
  cycle_interval: z.int().min(0),
  cycle_unit: z.string(),
}

/** RFC 3339, as `2025-01-01T00:00:00Z`. */
const isDateTime = (text: unknown) => z.iso.datetime({ offset: true }).safeParse(text).success

/** Why servers would refuse a rule: an i18n key with its arguments; `undefined` if they accept it. */
export function alertRuleProblem(rule: Readonly<Record<string, unknown>>): { key: string; field?: string } | undefined {
  for (const [field, type] of Object.entries(keyTypes)) {
    const value = rule[field] ?? undefined
    if (value !== undefined && !type.safeParse(value).success) return { key: 'validation.rule_field', field }
  }
  if (!rule.type) return { key: 'validation.rule_field', field: 'type' }
  if (!isCycleType(rule.type)) {
    return Number(rule.duration ?? 0) < minSamples ? { key: 'validation.rule_samples' } : undefined
  }
  if (Number(rule.cycle_interval ?? 0) < 1) return { key: 'validation.rule_interval' }
  if (!rule.cycle_start) return { key: 'validation.rule_start' }
  return isDateTime(rule.cycle_start) ? undefined : { key: 'validation.rule_moment' }
}
