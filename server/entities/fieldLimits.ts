import type { FieldDescription } from '../../src/schemas/define/describe.ts'
import { limits } from '../../src/schemas/define/limits.ts'
import { sameValue } from '../../src/schemas/define/sameValue.ts'
import { ApiError } from '../wire/apiError.ts'
import type { Form, Row } from './row.ts'

/** Keeps what people store within the limits of their fields, and lists readable where older databases hold more. */
export interface FieldLimits {
  /**
   * Refuses values that are longer than their field allows, and lets those pass that are stored already.
   * @throws ApiError `name must have at most 128 characters`
   */
  check(form: Form, stored?: Form): void
  /** A row as lists have it: with the beginning of a value that is longer than any form could have made it. */
  cut(row: Row): Row
  /** The form with the whole value where it has the beginning of it, as a list had it. */
  keepCut(form: Form, row: Row): Form
}

export function createFieldLimits(fields: readonly FieldDescription[]): FieldLimits {
  const editable = fields.filter((field) => field.editable)
  const cutRows = new WeakMap<Row, Row>()

  function cut(row: Row): Row {
    const cached = cutRows.get(row)
    if (cached) return cached
    const changes = editable.flatMap((field) => {
      const value = beginningOf(field, row[field.name])
      return value === row[field.name] ? [] : [[field.name, value] as const]
    })
    const result = changes.length > 0 ? { ...row, ...Object.fromEntries(changes) } : row
    cutRows.set(row, result)
    return result
  }

  return {
    cut,
    check(form, stored = {}) {
      for (const field of editable) {
        const value = form[field.name]
        const limit = exceededLimit(field, value)
        if (limit && !sameValue(value, stored[field.name])) throw new ApiError(`${field.name} must have ${limit}`)
      }
    },
    keepCut(form, row) {
      const shown = cut(row)
      if (shown === row) return form
      const names = editable.map(({ name }) => name).filter((name) => shown[name] !== row[name])
      const unchanged = names.filter((name) => name in form && sameValue(form[name], shown[name]))
      return { ...form, ...Object.fromEntries(unchanged.map((name) => [name, row[name]])) }
    },
  }
}

/** The limit that a value exceeds, in words. */
function exceededLimit(field: FieldDescription, value: unknown): string | undefined {
  const { kind, maxLength = Infinity, maxEntries = Infinity, maxEntryLength = Infinity } = field
  if (typeof value === 'string') return value.length > maxLength ? `at most ${maxLength} characters` : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (entriesOf(value).length > maxEntries) return `at most ${maxEntries} entries`
  if (maxEntryLength < Infinity && entriesOf(value).some((entry) => String(entry).length > maxEntryLength)) {
    return `at most ${maxEntryLength} characters in each entry`
  }
  return kind === 'json' && jsonLength(value) > maxLength ? `at most ${maxLength} characters as JSON` : undefined
}

const entriesOf = (value: object): readonly unknown[] => (Array.isArray(value) ? value : Object.keys(value))
const jsonLength = (value: unknown) => JSON.stringify(value)?.length ?? 0

/** Well-formed, so that it comes back from a client as it went. */
const shortened = (text: string, length: number) => `${text.slice(0, length - 1).toWellFormed()}…`

function beginningOf({ maxLength = limits.body, maxEntries = 0 }: FieldDescription, value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxLength ? shortened(value, maxLength) : value
  if (typeof value !== 'object' || value === null || jsonLength(value) <= limits.body) return value
  const beginning = Array.isArray(value)
    ? value.slice(0, maxEntries)
    : Object.fromEntries(Object.entries(value).slice(0, maxEntries))
  return jsonLength(beginning) <= limits.body ? beginning : null
}
