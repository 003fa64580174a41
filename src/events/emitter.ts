/** A list of listeners of one event, for state that lives outside React. */
export interface Emitter<Arguments extends unknown[] = []> {
  /** Calls `listener` at every event from now on. Returns how to unsubscribe; fits `useSyncExternalStore`. */
  subscribe(listener: (...values: Arguments) => void): () => void
  /** Calls all listeners, in the order in which they subscribed. */
  emit(...values: Arguments): void
  readonly hasListeners: boolean
}

export function createEmitter<Arguments extends unknown[] = []>(): Emitter<Arguments> {
  const listeners = new Set<(...values: Arguments) => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit(...values) {
      for (const listener of listeners) listener(...values)
    },
    get hasListeners() {
      return listeners.size > 0
    },
  }
}
