import type { Store } from '../db/store.ts'
import { keyedTable, writeBehind } from '../db/writeBehind.ts'

/** Limits repeated notifications: the first one passes immediately, the next ones after growing pauses. */
export interface RepeatThrottle {
  /** Whether a notification with this key may be sent now. If so, it counts as sent. */
  allows(key: string): boolean
  /** The problem is over: the next notification with this key counts as the first one. */
  reset(key: string): void
  /** Writes what is still in memory to the disk. */
  flush(): void
}

interface ThrottledKey {
  key: string
  /** End of the current pause, in milliseconds since 1970. */
  until: number
  /** Length of the current pause in milliseconds. */
  pause: number
}

/** Milliseconds. Each pause is twice as long as the one before. */
export const repeatPauses = { first: 15 * 60_000, longest: 86_400_000 } as const

interface Options {
  store: Store
  onFailure: (error: unknown) => void
  /** Milliseconds since 1970. */
  now: () => number
}

export function openRepeatThrottle({ store, onFailure, now }: Options): RepeatThrottle {
  const columns = [
    { name: 'key', type: 'TEXT', unique: true },
    { name: 'until', type: 'INTEGER' },
    { name: 'pause', type: 'INTEGER' },
  ] as const
  const definition = { name: 'muted_notice', columns }
  const { saved, save } = keyedTable<ThrottledKey & { id: number }, string>(store, definition, ({ key }) => key)
  const throttled = new Map<string, ThrottledKey>(saved())
  const changed = new Set<string>()
  const writer = writeBehind(write, onFailure)

  /** Without a notification for one more pause, the problem counts as over. */
  const isExpired = ({ until, pause }: ThrottledKey) => now() > until + pause

  function removeExpired(): void {
    for (const [key, entry] of throttled) if (isExpired(entry)) remove(key)
  }

  function remove(key: string): void {
    if (throttled.delete(key)) changed.add(key)
  }

  function write(): void {
    removeExpired()
    save([...changed].map((key) => [key, throttled.get(key)]))
    changed.clear()
  }

  return {
    flush: writer.flush,
    allows(key) {
      const entry = throttled.get(key)
      // A pause that ends later than it is long began before the clock was set back.
      if (entry && now() < entry.until && entry.until <= now() + entry.pause) return false
      const pause = entry && !isExpired(entry) ? Math.min(entry.pause * 2, repeatPauses.longest) : repeatPauses.first
      throttled.set(key, { key, until: now() + pause, pause })
      changed.add(key)
      writer.schedule()
      return true
    },
    reset(key) {
      if (!throttled.has(key)) return
      remove(key)
      writer.schedule()
    },
  }
}
