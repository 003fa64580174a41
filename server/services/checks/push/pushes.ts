import { randomBytes } from 'node:crypto'
import { keyedTable } from '../../../db/keyedTable.ts'
import type { Store } from '../../../db/store.ts'
import type { PushCall, PushEvent, PushRecord } from './pushState.ts'

/** What jobs have said, by the ids of their services; kept for a restart. */
export interface Pushes {
  of(service: number): PushRecord
  add(service: number, event: PushEvent, call: { at: number; message: string; ms?: number }): void
  remove(services: readonly number[]): void
}

/** Calls that are kept of each job, and characters of what they say. */
export const pushLimits = { calls: 20, message: 500 } as const

interface RecordRow {
  id: number
  service_id: number
  /** A `PushRecord` as JSON text, so that callers cannot change it. */
  record: string
}

const pathStart = '/api/push/'

/** An address for a job, with a token of 192 bits. */
export const newPushPath = (): string => `${pathStart}${randomBytes(24).toString('base64url')}`

/** The path that a token belongs to. */
export const pushPathOf = (token: string): string => pathStart + token

const none: PushRecord = { calls: [] }

export function openPushes(store: Store): Pushes {
  const columns = [
    { name: 'service_id', type: 'INTEGER', unique: true },
    { name: 'record', type: 'TEXT' },
  ] as const
  const { saved, save } = keyedTable<RecordRow, number>(
    store,
    { name: 'push', columns },
    ({ service_id }) => service_id,
  )
  /** Read once, and written with each call. */
  const records = new Map<number, PushRecord>()

  function of(service: number): PushRecord {
    let record = records.get(service)
    if (!record) {
      const row = saved().get(service)
      record = row ? (JSON.parse(row.record) as PushRecord) : none
      records.set(service, record)
    }
    return record
  }

  return {
    of,
    add(service, event, { at, message, ms }) {
      const { calls, startedAt } = of(service)
      const length =
        ms ?? (event !== 'start' && event !== 'log' && startedAt !== undefined ? at - startedAt : undefined)
      const call: PushCall = {
        at,
        event,
        message: message.slice(0, pushLimits.message).toWellFormed(),
        ...(length !== undefined && { ms: length }),
      }
      const running = event === 'start' ? at : event === 'log' ? startedAt : undefined
      const record = {
        calls: [call, ...calls].slice(0, pushLimits.calls),
        ...(running !== undefined && { startedAt: running }),
      }
      // What counts stays in the list, however many others have come since.
      const last = calls.find((one) => one.event === 'success' || one.event === 'fail')
      if (last && !record.calls.some((one) => one.event === 'success' || one.event === 'fail')) {
        record.calls = [...record.calls.slice(0, pushLimits.calls - 1), last]
      }
      records.set(service, record)
      store.eventually(() => save([[service, { service_id: service, record: JSON.stringify(record) }]]))
    },
    remove(services) {
      const known = services.filter((id) => saved().has(id))
      for (const id of services) records.delete(id)
      if (known.length > 0) store.eventually(() => save(known.map((id) => [id, undefined])))
    },
  }
}
