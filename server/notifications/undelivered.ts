import { notification } from '../../src/schemas/notification.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { isoTime } from '../webhooks/newEvent.ts'
import type { AttemptResult } from './attemptDelivery.ts'

/** Notifiers that did not deliver something: they say so until they deliver again, or somebody has seen it. */
export interface Undelivered {
  /** Something was given up. @param result of the last try; `undefined` where there was none */
  lost(notifierId: number, result?: Pick<AttemptResult, 'code' | 'reply'>): void
  /** Something was delivered, or somebody has seen that it was not. */
  clear(notifierId: number): void
}

/** The fields of a notifier of which nothing is known to be lost. */
export const nothingUndelivered = { undelivered_at: '', undelivered_cause: '' }

/** @param now milliseconds since 1970 */
export function createUndelivered(store: Store, now: () => number): Undelivered {
  const notifiers = entityTable(store, notification)
  return {
    lost(id, { code, reply } = { code: 0, reply: '' }) {
      const row = notifiers.get(id)
      if (!row) return
      const undelivered_cause = !code || reply.startsWith(String(code)) ? reply : `${code} ${reply}`.trim()
      if (row.undelivered_at && row.undelivered_cause === undelivered_cause) return
      const undelivered_at = row.undelivered_at || isoTime(now())
      store.eventually(() => void notifiers.update(id, { undelivered_at, undelivered_cause }))
    },
    clear(id) {
      if (notifiers.get(id)?.undelivered_at) store.eventually(() => void notifiers.update(id, nothingUndelivered))
    },
  }
}
