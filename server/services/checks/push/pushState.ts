import { parseCron } from '../../../../src/domain/cron/cronExpression.ts'
import { nextRun } from '../../../../src/domain/cron/cronRuns.ts'
import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import type { CheckReason } from '../../../../src/schemas/endpoints/checkEndpoints.ts'
import { ownTimezone } from '../../../site/timeZone.ts'

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
export interface PushRecord {
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
