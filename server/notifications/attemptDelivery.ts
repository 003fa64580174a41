import type { ConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { TargetNotAllowedError } from '../outbound/resolveTarget.ts'
import { notifierSecrets, replyExcerpt } from './excerpts.ts'
import type { Notifier, Placeholders } from './notifierRequest.ts'
import { prepareNotification } from './prepareNotification.ts'

/** A notifier in the database. */
export type NotifierRow = Notifier & {
  id: number
  user_id: number
  has_member_rights?: boolean
  name: string
  format_metric_units?: boolean | null
  /** When its receiver answered that it wants no more events. */
  stopped_at?: string | null
}

/** A notification in the queues of its group's notifiers, which share this object. */
export interface QueuedNotification {
  message: string
  groupId: number
  groupName: string
  serviceId?: number
  /** Whether it only shows that the notifier works. */
  isTest?: boolean
  /** Milliseconds since 1970. */
  createdAt: number
  placeholders(withUnits: boolean): Placeholders
}

export interface AttemptServices {
  mayCallPrivateTargets: MayCallPrivateTargets
  concurrency: ConcurrencyLimit
  /** Aborts a running request. */
  signal: AbortSignal
}

export interface AttemptResult {
  isSent: boolean
  /** Whether a retry is useless. */
  isFinal: boolean
  /** HTTP status, or code of a mail server; 0 without a reply. */
  code: number
  /** The beginning of the reply or an error message: shortened, printable and without secrets. */
  reply: string
}

/** More of a reply than is shown, because secrets are removed. */
const maxBodyBytes = 2048

/** Sends a notification to a notifier once. Never rejects. */
export async function attemptDelivery(
  notifier: NotifierRow,
  queued: QueuedNotification,
  { mayCallPrivateTargets, concurrency, signal }: AttemptServices,
): Promise<AttemptResult> {
  const secrets = notifierSecrets(notifier)
  let send: ReturnType<typeof prepareNotification> | undefined
  try {
    const placeholders = queued.placeholders(notifier.format_metric_units === true)
    const prepared = prepareNotification(notifier, placeholders, queued.isTest ? 'test' : 'message')
    send = prepared
    const allowPrivate = mayCallPrivateTargets(notifier)
    const { code, body, text, isSent, isFinal } = await concurrency.run(() =>
      prepared({ allowPrivate, signal, maxBodyBytes }),
    )
    return { code, reply: replyExcerpt(body || text, secrets), isSent, isFinal }
  } catch (error) {
    const isFinal = error instanceof TargetNotAllowedError || send === undefined
    return { code: 0, reply: replyExcerpt((error as Error).message, secrets), isSent: false, isFinal }
  }
}
