import { deliveryState } from '../../src/schemas/delivery.ts'
import type { Call } from '../outbound/guardedRequest.ts'
import { guardedRequest } from '../outbound/guardedRequest.ts'
import { TargetRefusal } from '../outbound/resolveTarget.ts'
import type { Delivery } from './deliveries.ts'
import { replyHead, secretsIn } from './heads.ts'
import { callOf, type Notifier, type Placeholders } from './notice.ts'
import type { Slots } from './slots.ts'

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

/** The queue of one notifier: what it is slow with makes nobody else wait. */
export interface Receiver {
  add(parcel: Parcel): void
  /** What waits is written down as not sent; resolves when nothing is under way any more. */
  stop(): Promise<void>
}

export interface ReceiverServices {
  /** The notifier as it is now; `undefined` when it was deleted. */
  notifier: () => KeptNotifier | undefined
  mayReachInside: (ownerId: number) => boolean
  log: (delivery: Delivery) => void
  /** Told of what nobody expected. */
  onError: (error: unknown) => void
  /** The notifier has nothing to do. */
  onIdle: () => void
  slots: Slots
  /** Cuts off what is under way. */
  signal: AbortSignal
  now: () => number
  /** Resolves after so many milliseconds, or rejects when `signal` is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Milliseconds before the second and before the third try. */
const pauses = [2000, 10_000] as const
/** Notices that may wait at one notifier; the oldest goes first. */
export const mostWaiting = 200
/** Nobody wants to be told what was long ago. Milliseconds. */
export const tooOldMs = 3_600_000
const keepBytes = 2048

type Outcome = Pick<Delivery, 'code' | 'reply'> & { isSent: boolean; isFinal: boolean }

export function createReceiver(services: ReceiverServices): Receiver {
  const { log, slots, signal, now, pause } = services
  const queue: Parcel[] = []
  let known: KeptNotifier | undefined
  let isEnding = false
  let running: Promise<void> | undefined

  /** Looked up anew each time: what was changed counts at once. */
  const current = () => {
    const notifier = services.notifier()
    known = notifier ?? known
    return notifier
  }

  function write(parcel: Parcel, about: Partial<Delivery> & Pick<Delivery, 'state'>): void {
    if (!known) return
    log({
      at: now(),
      notifierId: known.id,
      notifierName: known.name,
      ownerId: known.user_id,
      groupId: parcel.groupId,
      groupName: parcel.groupName,
      message: parcel.message,
      ...{ code: 0, reply: '', tries: 0, durationMs: 0, count: 1 },
      ...about,
    })
  }

  async function attempt(notifier: KeptNotifier, parcel: Parcel): Promise<Outcome> {
    const reachesInside = services.mayReachInside(notifier.user_id)
    const secrets = secretsIn(notifier)
    let made: Call | undefined
    try {
      const call = callOf(notifier, parcel.placeholders(notifier.format_metric_units === true))
      made = call
      const reply = await slots.within(() => guardedRequest(call, { reachesInside, signal, keepBytes }))
      const isSent = reply.code >= 200 && reply.code <= 299
      return { code: reply.code, reply: replyHead(reply.body || reply.text, secrets), isSent, isFinal: isSent }
    } catch (error) {
      const isFinal = error instanceof TargetRefusal || made === undefined
      return { code: 0, reply: replyHead((error as Error).message, secrets), isSent: false, isFinal }
    }
  }

  async function deliver(parcel: Parcel): Promise<void> {
    const started = now()
    for (let tries = 1; ; tries++) {
      const notifier = current()
      if (!notifier) return
      const { isSent, isFinal, code, reply } = await attempt(notifier, parcel)
      const told = { code, reply, tries, durationMs: Math.max(0, now() - started) }
      if (isSent) return write(parcel, { state: deliveryState.sent, ...told })
      if (signal.aborted) return write(parcel, { state: deliveryState.stopped, ...told, reply: '' })
      const wait = pauses[tries - 1]
      if (isFinal || wait === undefined) return write(parcel, { state: deliveryState.failed, ...told })
      const isOver = await pause(wait, signal).then(
        () => isEnding,
        () => true,
      )
      if (isOver) return write(parcel, { state: deliveryState.stopped, ...told })
    }
  }

  async function work(): Promise<void> {
    for (let parcel = queue.shift(); parcel; parcel = queue.shift()) {
      if (isEnding) write(parcel, { state: deliveryState.stopped })
      else if (now() - parcel.at > tooOldMs) write(parcel, { state: deliveryState.dropped })
      else await deliver(parcel)
    }
    running = undefined
    services.onIdle()
  }

  return {
    add(parcel) {
      if (!current()) {
        if (!running) services.onIdle()
        return
      }
      queue.push(parcel)
      const oldest = queue.length > mostWaiting ? queue.shift() : undefined
      if (oldest) write(oldest, { state: deliveryState.dropped })
      running ??= work().catch(services.onError)
    },
    async stop() {
      isEnding = true
      await running
    },
  }
}
