import { ApiError } from '../wire/apiError.ts'
import { readTime } from '../wire/readTime.ts'

/** One rule, with the kinds of its known keys made sure. Unknown keys stay in it. */
export interface AlertRulePart {
  type: string
  min?: number
  max?: number
  /** Samples. */
  duration?: number
  cover: number
  ignore?: Record<string, boolean>
  cycle_start?: string
  cycle_interval?: number
  cycle_unit?: string
  [key: string]: unknown
}

const isWhole = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
const isNumber = (value: unknown) => typeof value === 'number'
const isText = (value: unknown) => typeof value === 'string'
const isSet = (value: unknown) =>
  kindOf(value) === 'object' &&
  Object.entries(value as object).every(([key, on]) => /^\d+$/.test(key) && typeof on === 'boolean')

const known: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, type: string]>> = {
  type: [isText, 'string'],
  min: [isNumber, 'float64'],
  max: [isNumber, 'float64'],
  duration: [isWhole, 'uint64'],
  cover: [isWhole, 'uint64'],
  ignore: [isSet, 'map[uint64]bool'],
  cycle_start: [isText, 'time.Time'],
  cycle_interval: [isWhole, 'uint64'],
  cycle_unit: [isText, 'string'],
}

/**
 * The rules of an alert as they came in. What is no rule at all is refused here, `null` too: real servers break over
 * it.
 * @throws ApiError
 */
export function readAlertRules(rules: readonly unknown[]): AlertRulePart[] {
  return rules.map((rule) => {
    if (kindOf(rule) !== 'object') throw mismatch(rule, 'rules', 'model.Rule')
    const given = Object.entries(rule as object).filter(([key, value]) => value !== null || !(key in known))
    for (const [key, value] of given) {
      const [fits, type] = known[key] ?? []
      if (fits && !fits(value)) throw mismatch(value, `rules.${key}`, type as string)
    }
    const read = { type: '', cover: 0, ...Object.fromEntries(given) } as AlertRulePart
    if (read.cycle_start !== undefined) readTime(read.cycle_start)
    return read
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
