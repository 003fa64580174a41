import type { z } from 'zod'
import { logQuery } from '../../src/schemas/inspect/logs.ts'
import { ApiError } from '../wire/apiError.ts'
import { unitName } from './orders.ts'
import { isLogFile, isPlace } from './subjects/logs.ts'

/**
 * The query of a call with the types of its schema. A name without a value counts as absent.
 * @throws ApiError that names what is wrong
 */
export function readQuery<Query extends z.ZodObject>(
  schema: Query,
  texts: Readonly<Record<string, string>>,
): z.output<Query> {
  const values = Object.entries(texts).flatMap(([name, text]): [string, string | number][] => {
    if (text === '') return []
    const isNumber = /^-?\d+$/.test(text) && schema.shape[name]?.safeParse(text).success === false
    return [[name, isNumber ? Number(text) : text]]
  })
  const { success, data, error } = schema.safeParse(Object.fromEntries(values))
  if (success) return data
  const [issue] = error.issues
  throw new ApiError(`${issue?.path.join('.') || 'the query'} is not valid: ${issue?.message}`)
}

/** @throws ApiError when the file is not below /var/log, or that is no unit */
export function readLogQuery(texts: Readonly<Record<string, string>>): z.output<typeof logQuery> {
  const query = readQuery(logQuery, texts)
  if (query.unit !== undefined) unitName(query.unit)
  if (query.file !== undefined && !isLogFile(query.file)) throw new ApiError('file is not one below /var/log')
  if (query.before !== undefined && !isPlace(query.before, query.file)) {
    throw new ApiError('before is no place of this log: take what earlier of an answer says')
  }
  return query
}
