import { deliveryState } from '../../src/schemas/delivery.ts'
import { type AttemptServices, attempt, type KeptNotifier, type Parcel } from './attempt.ts'
import type { Delivery } from './deliveries.ts'

/** The queue of one notifier: what it is slow with makes nobody else wait. */
export interface Receiver {
  add(parcel: Parcel): void
  /** What waits is written down as not sent; resolves when nothing is under way any more. */
  stop(): Promise<void>
}

export interface ReceiverServices extends AttemptServices {
  /** The notifier as it is now; `undefined` when it was deleted. */
  notifier: () => KeptNotifier | undefined
  log: (delivery: Delivery) => void
  /** Told of what nobody expected. */
  onError: (error: unknown) => void
  /** The notifier has nothing to do. */
  onIdle: () => void
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

export function createReceiver(services: ReceiverServices): Receiver {
  const { log, signal, now, pause } = services
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

  async function deliver(parcel: Parcel): Promise<void> {
    const started = now()
    for (let tries = 1; ; tries++) {
      const notifier = current()
      if (!notifier) return
      const { isSent, isFinal, code, reply } = await attempt(notifier, parcel, services)
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

  async function handle(parcel: Parcel): Promise<void> {
    if (isEnding) write(parcel, { state: deliveryState.stopped })
    else if (now() - parcel.at > tooOldMs) write(parcel, { state: deliveryState.dropped })
    else await deliver(parcel)
  }

  async function work(): Promise<void> {
    for (let parcel = queue.shift(); parcel; parcel = queue.shift()) {
      // What goes wrong with one must not leave the others waiting for ever.
      await handle(parcel).catch(services.onError)
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
      running ??= work()
    },
    async stop() {
      isEnding = true
      await running
    },
  }
}
