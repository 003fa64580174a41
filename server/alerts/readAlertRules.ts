import type { AlertRulePart } from '../../src/domain/alerts/compileAlert.ts'
import { ApiError } from '../wire/apiError.ts'
import { readTime } from '../wire/readTime.ts'

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
