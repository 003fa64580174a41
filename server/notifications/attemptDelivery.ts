import type { ConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import { guardedRequest } from '../outbound/guardedRequest.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { TargetNotAllowedError } from '../outbound/resolveTarget.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import { notifierSecrets, replyExcerpt } from './excerpts.ts'
import { type Notifier, notifierRequest, type Placeholders } from './notifierRequest.ts'

/** A notifier in the database. */
export type NotifierRow = Notifier & {
  id: number
  user_id: number
  has_member_rights?: boolean
  name: string
  format_metric_units?: boolean | null
}

/** A notification in the queues of its group's notifiers, which share this object. */
export interface QueuedNotification {
  message: string
  groupId: number
  groupName: string
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
  /** HTTP status, 0 without a reply. */
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
  let prepared: OutboundRequest | undefined
  try {
    const request = notifierRequest(notifier, queued.placeholders(notifier.format_metric_units === true))
    prepared = request
    const allowPrivate = mayCallPrivateTargets(notifier)
    const reply = await concurrency.run(() => guardedRequest(request, { allowPrivate, signal, maxBodyBytes }))
    const isSent = reply.code >= 200 && reply.code <= 299
    return { code: reply.code, reply: replyExcerpt(reply.body || reply.text, secrets), isSent, isFinal: isSent }
  } catch (error) {
    const isFinal = error instanceof TargetNotAllowedError || prepared === undefined
    return { code: 0, reply: replyExcerpt((error as Error).message, secrets), isSent: false, isFinal }
  }
}
