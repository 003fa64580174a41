import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Person } from '../../../server/person.ts'
import { describeFields } from '../../../src/schemas/define/describe.ts'
import { entities } from '../../../src/schemas/index.ts'
import type { DataApp } from '../console/dataApp.ts'
import { root } from '../root.ts'

/** One exchange with a real server, as it was recorded. */
export interface Exchange {
  name: string
  request: { method: string; path: string; headers?: Record<string, string>; body?: unknown; bodyText?: string }
  response: { status: number; headers: RecordedHeaders; body?: unknown; bodyText?: string }
}

interface RecordedHeaders {
  'content-type'?: string
  'set-cookie'?: string[]
  'www-authenticate'?: string
  location?: string
}

/** The folder of all recordings; `docs/contract/CONTRACT.md#12-recordings-index` says what each holds. */
export const recordingsFolder = join(root, 'docs/contract/recordings')

/**
 * @param file a name in `docs/contract/recordings`, without ending
 * @param names only these exchanges, in their recorded order; a name that is not there is an error
 */
export function readRecording(file: string, names?: readonly string[]): Exchange[] {
  const exchanges: Exchange[] = JSON.parse(readFileSync(join(recordingsFolder, `${file}.json`), 'utf8'))
  if (!names) return exchanges
  const missing = names.filter((name) => !exchanges.some((exchange) => exchange.name === name))
  if (missing.length > 0) throw new Error(`${file} has no exchange named ${missing.join(', ')}`)
  return exchanges.filter(({ name }) => names.includes(name))
}

/** Exchanges by their names, for `it.each`. */
export const named = (exchanges: readonly Exchange[]) => exchanges.map((exchange) => [exchange.name, exchange] as const)

/** Sends what was sent to the real server. */
export function replay({ call }: DataApp, { request }: Exchange, person?: Person | null) {
  const body = 'body' in request ? JSON.stringify(request.body) : request.bodyText
  return call(request.method, request.path, body, person)
}

/** Sends what was sent to the real server, and expects its reply; moments may be others. */
export async function expectAsRecorded(data: DataApp, exchange: Exchange, person?: Person | null): Promise<void> {
  const { status, body } = await replay(data, exchange, person)
  expect(status).toBe(exchange.response.status)
  expect(timeless(body)).toEqual(timeless(exchange.response.body))
}

/**
 * A reply with every moment replaced by one word, and without the fields that only this server has: recordings and
 * replays differ in nothing else.
 */
export function timeless(value: unknown): unknown {
  const isMoment = (text: unknown) => typeof text === 'string' && /^2\d{3}-\d\d-\d\dT[\d:.]+Z$/.test(text)
  const shown = (key: string, member: unknown) =>
    ownFields.has(key) ? undefined : isMoment(member) ? '<moment>' : member
  return JSON.parse(JSON.stringify(value, shown))
}

const ownFields = new Set(
  Object.values(entities).flatMap((entity) =>
    describeFields(entity).flatMap(({ name, announced }) => (announced ? [name] : [])),
  ),
)
