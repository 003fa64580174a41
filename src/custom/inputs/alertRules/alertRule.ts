import { isCycleType } from '../../../schemas/alerts/alertRuleTypes.ts'

/** One rule as it travels. Keys that the builder does not know stay where they are. */
export type Rule = Readonly<Record<string, unknown>>

/**
 * The rules that the form holds, as a list or as the text somebody is editing; `undefined` when it is no list of rules.
 */
export function readRules(value: unknown): readonly Rule[] | undefined {
  if (value === null || value === undefined) return []
  if (typeof value !== 'string') return isRules(value) ? value : undefined
  if (value.trim() === '') return []
  try {
    const read: unknown = JSON.parse(value)
    return isRules(read) ? read : undefined
  } catch {
    return undefined
  }
}

function isRules(value: unknown): value is Rule[] {
  return Array.isArray(value) && value.every((rule) => rule && typeof rule === 'object' && !Array.isArray(rule))
}

/** A rule with some keys withChanges; a key that becomes `undefined` goes, all others stay as they came. */
export function withChanges(rule: Rule, changes: Rule): Rule {
  return Object.fromEntries(Object.entries({ ...rule, ...changes }).filter(([, value]) => value !== undefined))
}

/** What a new rule begins with: half a minute of high load on all servers. */
export const newRule = (): Rule => ({ type: 'cpu', max: 90, duration: 10, cover: 0 })

/**
 * A rule that watches something else. What its kind needs is filled in where it is missing; nothing is thrown away.
 * @param now milliseconds since 1970
 */
export function withType(rule: Rule, type: string, now: number): Rule {
  if (!isCycleType(type)) return withChanges(rule, { type, duration: rule.duration ?? 10 })
  return withChanges(rule, {
    type,
    cycle_start: rule.cycle_start ?? startOfMonth(now),
    cycle_interval: rule.cycle_interval ?? 1,
    cycle_unit: rule.cycle_unit ?? 'month',
  })
}

function startOfMonth(now: number): string {
  const today = new Date(now)
  return toRuleTime(new Date(today.getFullYear(), today.getMonth(), 1))
}

/** A moment as rules write it, to the second. */
export const toRuleTime = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z')

/** A moment as an input for local time shows it: `2025-01-01T08:30`; empty for what is no moment. */
export function toLocalInputValue(moment: unknown): string {
  const date = new Date(String(moment ?? ''))
  if (Number.isNaN(date.valueOf())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The ids that a rule names: those with `true`. */
export const namedServers = (rule: Rule): number[] =>
  Object.entries((rule.ignore as Record<string, unknown> | null | undefined) ?? {})
    .filter(([, isNamed]) => isNamed === true)
    .map(([id]) => Number(id))

/** Whether a rule looks at a server: with cover 1 only those it names, else all but them. */
export const covers = (rule: Rule, id: number): boolean => namedServers(rule).includes(id) === (rule.cover === 1)
