import type { Store } from '../db/store.ts'
import { createConcurrencyLimit } from './concurrencyLimit.ts'

/**
 * Before what cannot be taken back: a message, an order to this machine.
 * @returns `undefined` when everything that was written is durable, else what resolves when it is and rejects when `signal` is
 * aborted
 */
export function untilDurable(store: Pick<Store, 'whenDurable'>, signal: AbortSignal): Promise<void> | undefined {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isDue = false
  store.whenDurable(() => {
    isDue = true
    resolve()
  })
  if (isDue) return undefined
  const abort = () => reject(new Error('this server was stopped before it could be sent'))
  signal.addEventListener('abort', abort, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', abort))
}

/** Limits how many messages are sent at the same time, and sends each when what it tells of is durable. */
export interface SendLimit {
  /** @param signal ends the wait */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

export function createSendLimit(max: number, store: Pick<Store, 'whenDurable'>): SendLimit {
  const limit = createConcurrencyLimit(max)
  return {
    async run(work, signal) {
      const wait = untilDurable(store, signal)
      if (wait) await wait
      return limit.run(work)
    },
  }
}
