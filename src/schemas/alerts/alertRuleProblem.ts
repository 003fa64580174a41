import { z } from 'zod'
import { isCycleType, leastSamples } from './alertRuleTypes.ts'

/** One rule as it travels. Keys that this console does not know stay. */
export type AlertRulePart = Readonly<Record<string, unknown>>

const number = z.number()
const id = z.string().regex(/^\d+$/)

/** What the keys of a rule must be where they are given. */
const kinds: Readonly<Record<string, z.ZodType>> = {
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
const isMoment = (text: unknown) => z.iso.datetime({ offset: true }).safeParse(text).success

/** Why servers would refuse a rule: a text key with its arguments. A rule without a type is none either. */
export function problemOf(rule: AlertRulePart): { key: string; field?: string } | undefined {
  for (const [field, kind] of Object.entries(kinds)) {
    const value = rule[field] ?? undefined
    if (value !== undefined && !kind.safeParse(value).success) return { key: 'validation.rule_field', field }
  }
  if (!rule.type) return { key: 'validation.rule_field', field: 'type' }
  if (Number(rule.cover ?? 0) > 1) return { key: 'validation.rule_field', field: 'cover' }
  if (!isCycleType(rule.type)) {
    return Number(rule.duration ?? 0) < leastSamples ? { key: 'validation.rule_samples' } : undefined
  }
  if (Number(rule.cycle_interval ?? 0) < 1) return { key: 'validation.rule_interval' }
  if (!rule.cycle_start) return { key: 'validation.rule_start' }
  return isMoment(rule.cycle_start) ? undefined : { key: 'validation.rule_moment' }
}
