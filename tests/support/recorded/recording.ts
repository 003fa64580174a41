import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Person } from '../../../server/person.ts'
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

/** @param file a name in `tests/support/recordings`, without ending */
export function readRecording(file: string): Exchange[] {
  return JSON.parse(readFileSync(join(root, 'tests/support/recordings', `${file}.json`), 'utf8'))
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

/** A reply with every moment replaced by one word: recordings and replays differ in nothing else. */
export function timeless(value: unknown): unknown {
  const isMoment = (text: unknown) => typeof text === 'string' && /^2\d{3}-\d\d-\d\dT[\d:.]+Z$/.test(text)
  return JSON.parse(JSON.stringify(value, (_key, member) => (isMoment(member) ? '<moment>' : member)))
}
