import { randomBytes } from 'node:crypto'
import { parseCron } from '../../../../src/domain/cron/cronExpression.ts'
import { nextRun } from '../../../../src/domain/cron/cronRuns.ts'
import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import type { CheckReason } from '../../../../src/schemas/endpoints/checkEndpoints.ts'
import type { Store } from '../../../db/store.ts'
import { keyedTable } from '../../../db/writeBehind.ts'
import { ownTimezone } from '../../../site/timeZone.ts'

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

/** What a job can say: that it begins, that it has run, that it has failed, or something beside. */
export const pushEvents = ['start', 'success', 'fail', 'log'] as const
export type PushEvent = (typeof pushEvents)[number]

/** A call of a job. */
export interface PushCall {
  /** Milliseconds since 1970. */
  at: number
  event: PushEvent
  message: string
  /** Milliseconds that the job says, or that have passed since its start. */
  ms?: number
}

/** What is known of a job: its latest calls, the last of them first. */
interface PushRecord {
  calls: readonly PushCall[]
  /** When the latest run began that has not ended. */
  startedAt?: number
}

export type PushState = { state: 'up'; ms: number } | { state: 'down'; reason: CheckReason }

/**
 * Whether a job runs as it should.
 * @param since when this server began to listen, or the service was made: calls before are not missed
 * @returns `undefined` before it must have called for the first time
 */
export function pushState(
  { interval, grace, schedule, zone }: CheckOf<'push'>,
  { calls, startedAt }: PushRecord,
  { since, now }: { since: number; now: number },
): PushState | undefined {
  const last = calls.find(({ event }) => event === 'success' || event === 'fail')
  if (last?.event === 'fail')
    return { state: 'down', reason: { key: 'push_failed', values: { said: last.message || '-' } } }
  const graceMs = grace * 1000
  if (
    startedAt !== undefined &&
    startedAt > (last?.at ?? 0) &&
    now > Math.max(startedAt, since) + graceMs &&
    graceMs > 0
  ) {
    const minutes = Math.round((now - startedAt) / 60_000)
    return { state: 'down', reason: { key: 'push_running', values: { minutes } } }
  }
  const from = Math.max(last?.at ?? 0, since)
  const due = schedule ? nextRun(parseCron(schedule), from, zone || ownTimezone()) : from + interval * 1000
  if (due !== undefined && now > due + graceMs) {
    const minutes = Math.round((now - due) / 60_000)
    return { state: 'down', reason: { key: 'push_missing', values: { minutes } } }
  }
  return last && { state: 'up', ms: last.ms ?? 0 }
}
