import { keyedRows } from '../db/keyedRows.ts'
import type { Store } from '../db/store.ts'
import { writeBehind } from './writeBehind.ts'

/** Holds back notices that repeat themselves: the first is told at once, the next ones with a growing pause. */
export interface Muting {
  /** Whether a notice of this key is to be told now; it counts as told then. */
  letsPass(key: string): boolean
  /** The trouble is over: the next notice of this key is a first one. */
  end(key: string): void
  /** Puts on the disk what is still in memory. */
  flush(): void
}

interface Muted {
  key: string
  /** Until when notices are held back, in milliseconds since 1970. */
  until: number
  /** The pause that ends then, in milliseconds. */
  pause: number
}

/** Milliseconds. Each pause is twice as long as the one before. */
export const mutingPauses = { first: 15 * 60_000, longest: 86_400_000 } as const

interface Options {
  store: Store
  onFailure: (error: unknown) => void
  /** Milliseconds since 1970. */
  now: () => number
}

export function openMuting({ store, onFailure, now }: Options): Muting {
  const columns = [
    { name: 'key', type: 'TEXT', unique: true },
    { name: 'until', type: 'INTEGER' },
    { name: 'pause', type: 'INTEGER' },
  ] as const
  const definition = { name: 'muted_notice', columns }
  const { saved, save } = keyedRows<Muted & { id: number }, string>(store, definition, ({ key }) => key)
  const muted = new Map(saved)
  const changed = new Set<string>()
  const behind = writeBehind(write, onFailure)

  /** A trouble that was silent for a whole pause more was over, whatever nobody said. */
  const isOver = ({ until, pause }: Muted) => now() > until + pause

  function forgetOver(): void {
    for (const [key, entry] of muted) if (isOver(entry)) drop(key)
  }

  function drop(key: string): void {
    if (muted.delete(key)) changed.add(key)
  }

  function write(): void {
    forgetOver()
    save([...changed].map((key) => [key, muted.get(key)]))
    changed.clear()
  }

  return {
    flush: behind.now,
    letsPass(key) {
      const known = muted.get(key)
      if (known && now() < known.until) return false
      const pause = known && !isOver(known) ? Math.min(known.pause * 2, mutingPauses.longest) : mutingPauses.first
      muted.set(key, { key, until: now() + pause, pause })
      changed.add(key)
      behind.soon()
      return true
    },
    end(key) {
      if (!muted.has(key)) return
      drop(key)
      behind.soon()
    },
  }
}
