import { notification } from '../../src/schemas/notification.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Messages } from '../site/messages.ts'
import { isoTime } from '../webhooks/newEvent.ts'
import type { AttemptResult, NotifierRow } from './attemptDelivery.ts'
import { messageExcerpt } from './excerpts.ts'
import { messagePlaceholders } from './notifierRequest.ts'
import type { WaitingMessage } from './outbox.ts'
import type { RepeatThrottle } from './repeatThrottle.ts'

/** A message that a notifier will never deliver, or what an event was about. */
export type LostMessage = Pick<WaitingMessage, 'group_id' | 'group_name' | 'service_id' | 'message'> &
  Partial<Pick<WaitingMessage, 'incident_id' | 'of_loss' | 'placeholders'>>

/** What happens when something was given up: people must not wait for it. */
export interface Losses {
  /**
   * Its notifier says so, and another one of the group tells people, with growing pauses.
   * @param result of the last try; `undefined` where there was none
   * @param mayKnow whether the owner of another notifier may know what it was about. Default: everybody in the group may
   */
  lost(
    message: LostMessage,
    notifier: NotifierRow,
    result?: Pick<AttemptResult, 'code' | 'reply'>,
    mayKnow?: (other: NotifierRow) => boolean,
  ): void
  /** A notifier has delivered something: the next loss is told at once. */
  arrived(notifierId: number): void
}

interface LossServices {
  undelivered: Undelivered
  throttle: Pick<RepeatThrottle, 'allows' | 'reset'>
  /** The notifiers of a group that send messages. */
  sendersOf: (groupId: number) => NotifierRow[]
  /** Sends to one of them. */
  send: (notifier: NotifierRow, message: LostMessage & Pick<WaitingMessage, 'placeholders'>) => void
  messages: Messages
  /** Milliseconds since 1970. */
  now: () => number
}

export function createLosses({ undelivered, throttle, sendersOf, send, messages, now }: LossServices): Losses {
  return {
    lost(lost, notifier, result, mayKnow = () => true) {
      undelivered.lost(notifier.id, result)
      if (lost.of_loss) return
      const other = sendersOf(lost.group_id).find((one) => one.id !== notifier.id && mayKnow(one))
      if (!other || !throttle.allows(keyOf(notifier.id))) return
      const message = messages('not_delivered', { notifier: notifier.name, message: messageExcerpt(lost.message) })
      const placeholders = { ...lost.placeholders, ...messagePlaceholders(message, now()) }
      const { group_id, group_name, service_id, incident_id } = lost
      send(other, { group_id, group_name, service_id, incident_id, message, placeholders, of_loss: true })
    },
    arrived(notifierId) {
      throttle.reset(keyOf(notifierId))
      undelivered.clear(notifierId)
    },
  }
}

/** The pauses between notices that a notifier does not deliver. */
const keyOf = (notifierId: number) => `loss of ${notifierId}`

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
