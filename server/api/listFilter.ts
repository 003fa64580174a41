import type { z } from 'zod'
import { describeField, type FieldDescription } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { fieldsIn, type Values } from '../../src/schemas/define/values.ts'
import { readRange, timeOf } from '../../src/schemas/formats/time.ts'
import { ApiError } from '../wire/apiCall.ts'

/** A row as a list has it. */
export type ListedRow = Values

/** Which rows of a list were asked for. */
export interface ListFilter {
  /** The same for the same filter, so that results can be cached. */
  key: string
  matches(row: ListedRow): boolean
}

/** By the name of a parameter: whether a row matches a value, where no field of that name does. */
export type OwnFilters = Readonly<Record<string, (row: ListedRow, value: string) => boolean>>

/**
 * Reads the filters of a list from its query (`api.filters`). Parameters that are empty or unknown are passed over.
 * @returns `undefined` when nothing is filtered
 * @throws ApiError for a value that the filter does not take
 */
export function readListFilter(entity: Entity, query: unknown, own: OwnFilters = {}): ListFilter | undefined {
  const given = Object.entries(entity.api.filters?.shape ?? {}).flatMap(([name, schema]) => {
    const value = fieldsIn(query)[name]
    if (value === undefined || value === '') return []
    const { success, data } = (schema as z.ZodType<string>).safeParse(value)
    if (!success) throw new ApiError(`the filter ${name} does not take this value`)
    return [[name, data] as const]
  })
  if (given.length === 0) return undefined
  const tests = given.map(([name, value]) => {
    const test = own[name]
    if (test) return (row: ListedRow) => test(row, value)
    return name === 'q' ? searchTest(value) : fieldTest(describeField(entity, name), name, value)
  })
  return { key: JSON.stringify(given), matches: (row) => tests.every((test) => test(row)) }
}

/** Whether all words stand somewhere in the texts of a row, in any case. */
function searchTest(search: string): (row: ListedRow) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return (row) => {
    const text = textsIn(row).join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  }
}

const textsIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [value]

/** Compares a field in the way of its kind. */
function fieldTest(field: FieldDescription | undefined, name: string, value: string): (row: ListedRow) => boolean {
  switch (field?.kind) {
    case 'number':
    case 'choice':
      // Servers leave out a zero.
      return (row) => String(row[name] ?? 0) === value
    case 'moment': {
      const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = readRange(value)
      return (row) => {
        const at = timeOf(row[name])
        return at !== undefined && at >= from && at < to
      }
    }
    default: {
      const text = value.toLowerCase()
      return (row) =>
        String(row[name] ?? '')
          .toLowerCase()
          .includes(text)
    }
  }
}
