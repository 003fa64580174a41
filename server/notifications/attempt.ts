import type { ConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import { guardedRequest } from '../outbound/guardedRequest.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { TargetNotAllowedError } from '../outbound/resolveTarget.ts'
import type { OutboundRequest } from '../outbound/sendRequest.ts'
import { replyHead, secretsIn } from './messageHeads.ts'
import { callOf, type Notifier, type Placeholders } from './notifierRequest.ts'

/** A notifier as it is kept. */
export type KeptNotifier = Notifier & {
  id: number
  user_id: number
  name: string
  format_metric_units?: boolean | null
}

/** A notice on its way; the notifiers of its group share it. */
export interface Parcel {
  message: string
  groupId: number
  groupName: string
  /** Milliseconds since 1970. */
  at: number
  placeholders(withUnits: boolean): Placeholders
}

export interface AttemptServices {
  mayCallPrivateTargets: MayCallPrivateTargets
  slots: ConcurrencyLimit
  /** Cuts off what is under way. */
  signal: AbortSignal
}

export interface Outcome {
  isSent: boolean
  /** Whether trying again is of no use. */
  isFinal: boolean
  /** HTTP status, 0 without a reply. */
  code: number
  /** The beginning of the reply, or why there was none; cut, printable and without secrets. */
  reply: string
}

/** Bytes of a reply: more than is shown of it, for what is taken out. */
const maxBodyBytes = 2048

/** Calls a notifier once. Never rejects. */
export async function attempt(
  notifier: KeptNotifier,
  parcel: Parcel,
  { mayCallPrivateTargets, slots, signal }: AttemptServices,
): Promise<Outcome> {
  const secrets = secretsIn(notifier)
  let made: OutboundRequest | undefined
  try {
    const call = callOf(notifier, parcel.placeholders(notifier.format_metric_units === true))
    made = call
    const allowPrivate = mayCallPrivateTargets(notifier.user_id)
    const reply = await slots.run(() => guardedRequest(call, { allowPrivate, signal, maxBodyBytes }))
    const isSent = reply.code >= 200 && reply.code <= 299
    return { code: reply.code, reply: replyHead(reply.body || reply.text, secrets), isSent, isFinal: isSent }
  } catch (error) {
    const isFinal = error instanceof TargetNotAllowedError || made === undefined
    return { code: 0, reply: replyHead((error as Error).message, secrets), isSent: false, isFinal }
  }
}
