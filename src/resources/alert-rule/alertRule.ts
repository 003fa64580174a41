import { alertRuleTypes, subjectOfType } from '../../schemas/alerts/alertRuleTypes.ts'
import { isCycleType, recoveryFields } from '../../schemas/alerts/ruleLimits.ts'
import { isObject, type Values } from '../../schemas/define/values.ts'

/** One rule as on the wire or as somebody types it. Keys that the builder does not know are kept. */
export type Rule = Values

/**
 * The rules of the form's value, which is a list or a text being edited; `undefined` if it is not a list of rules.
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
  return Array.isArray(value) && value.every(isObject)
}

/** A rule with some keys changed; keys set to `undefined` are removed, all others kept. */
export function withChanges(rule: Rule, changes: Rule): Rule {
  return Object.fromEntries(Object.entries({ ...rule, ...changes }).filter(([, value]) => value !== undefined))
}

/** The default rule: half a minute of high CPU use on any server. */
export const newRule = (): Rule => ({ type: 'cpu', max: 90, duration: 10, cover: 0 })

/**
 * A rule with another type. Missing values that the type needs are added. Bounds go where they mean something else: 90
 * percent are not 90 bytes, and 90 % used are not 90 % free.
 * @param now milliseconds since 1970
 */
export function withType(rule: Rule, type: string, now: number): Rule {
  const isAsked = [String(rule.type), type].some((name) => subjectOfType(name) !== undefined)
  const bounds = unitOf(rule.type) === unitOf(type) && !isAsked ? {} : noBounds
  if (!isCycleType(type)) return withChanges(rule, { ...bounds, type, duration: rule.duration ?? 10 })
  return withChanges(rule, {
    ...bounds,
    ...noRecovery,
    type,
    cycle_start: rule.cycle_start ?? startOfMonth(now),
    cycle_interval: rule.cycle_interval ?? 1,
    cycle_unit: rule.cycle_unit ?? 'month',
  })
}

const noBounds = { min: undefined, max: undefined, recovery_min: undefined, recovery_max: undefined }
const noRecovery = Object.fromEntries(recoveryFields.map((name) => [name, undefined]))

/** A rule as servers take it that know nothing of recovery. */
export const withoutRecovery = (rule: Rule): Rule => withChanges(rule, noRecovery)

const unitOf = (type: unknown) => {
  const name = String(type)
  return Object.hasOwn(alertRuleTypes, name) ? alertRuleTypes[name]?.unit : undefined
}

function startOfMonth(now: number): string {
  const today = new Date(now)
  return toRuleTime(new Date(today.getFullYear(), today.getMonth(), 1))
}

/** A time as rules store it, to the second. */
export const toRuleTime = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z')

/** A time as a `datetime-local` input needs it: `2025-01-01T08:30`; '' if it is not a time. */
export function toLocalInputValue(time: unknown): string {
  const date = new Date(String(time ?? ''))
  if (Number.isNaN(date.valueOf())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The entries of a rule's `ignore` list. */
export const ignoredOf = ({ ignore }: Rule): [id: string, isNamed: unknown][] =>
  Object.entries(isObject(ignore) ? ignore : {})

/** The server ids in a rule's `ignore` list: those with `true`. */
export const namedServers = (rule: Rule): number[] =>
  ignoredOf(rule)
    .filter(([, isNamed]) => isNamed === true)
    .map(([id]) => Number(id))

/** Whether a rule covers a server: with cover 1 only the listed ones, else all others. */
export const covers = (rule: Rule, id: number): boolean => namedServers(rule).includes(id) === (rule.cover === 1)
