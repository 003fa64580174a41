import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import type { CheckRule } from '../../../../src/schemas/endpoints/checkEndpoints.ts'
import { parseJsonPath, valuesAt } from '../../../../src/schemas/formats/jsonPath.ts'
import { hasText } from '../parts/hasText.ts'

type JsonRule = CheckOf<'http'>['json'][number]

/** Judges rules about values in a JSON answer. */
export function judgeJson(rules: readonly JsonRule[], body: string): CheckRule[] {
  if (rules.length === 0) return []
  const parsed = parse(body)
  let left = maxCompared
  const mayCompare = (one: unknown) => {
    left -= 1 + (typeof one === 'string' ? one.length / charactersPerValue : 0)
    return left >= 0
  }
  return rules.map((rule) => {
    const expected = rule.op === 'exists' ? rule.path : `${rule.path} ${rule.op} ${textOf(rule.value)}`
    if (!parsed) return { rule: 'json', ok: false, expected }
    const values = valuesAt(parsed.value, parseJsonPath(rule.path) ?? [])
    const found = values.map(textOf).join(', ').slice(0, maxFound)
    return { rule: 'json', ok: isFulfilled(rule, values, mayCompare), expected, ...(values.length > 0 && { found }) }
  })
}

/** Characters of what was found. */
const maxFound = 200
/**
 * Values that all rules of a check are compared with, entries of lists included: an answer of 1 MiB may have half a
 * million. Beyond them a rule is not fulfilled.
 */
const maxCompared = 200_000
/** Characters of a text that cost as much as another value. */
const charactersPerValue = 64

function parse(body: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body.replace(/^\uFEFF/, ''))
    return { value }
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Of several values one is enough; for `!=` all have to differ, and there has to be one. */
function isFulfilled(
  { op, value }: JsonRule,
  found: readonly unknown[],
  mayCompare: (one: unknown) => boolean,
): boolean {
  if (op === 'exists') return found.length > 0
  if (op === '!=') return found.length > 0 && found.every((one) => mayCompare(one) && !isEqual(one, value))
  return found.some((one) => {
    if (!mayCompare(one)) return false
    if (op === '==') return isEqual(one, value)
    if (op === 'contains') return contains(one, value, mayCompare)
    const [left, right] = [numberOf(one), numberOf(value)]
    return left !== undefined && right !== undefined && (op === '<' ? left < right : left > right)
  })
}

/** As numbers where both are: people type `1`, and an answer may have it as a number or as a text. */
function isEqual(one: unknown, other: unknown): boolean {
  const [left, right] = [numberOf(one), numberOf(other)]
  return left !== undefined && right !== undefined ? left === right : textOf(one) === textOf(other)
}

function contains(container: unknown, value: unknown, mayCompare: (one: unknown) => boolean): boolean {
  if (typeof container === 'string') return hasText(container, textOf(value))
  if (Array.isArray(container)) return container.some((one) => mayCompare(one) && isEqual(one, value))
  return typeof container === 'object' && container !== null && Object.hasOwn(container, textOf(value))
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined
}
