import type { Messages } from '../site/messages.ts'
import type { AttemptResult, NotifierRow } from './attemptDelivery.ts'
import { messageExcerpt } from './excerpts.ts'
import { messagePlaceholders } from './notifierRequest.ts'
import type { WaitingMessage } from './outbox.ts'
import type { RepeatThrottle } from './repeatThrottle.ts'
import type { Undelivered } from './undelivered.ts'

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
