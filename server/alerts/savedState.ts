import { keyedRows } from '../db/keyedRows.ts'
import type { Store } from '../db/store.ts'

/** What the watch must not lose with a restart, by name. Only what has changed is written. */
export interface Kept {
  /** What was kept under a name; `undefined` when there is nothing. */
  read(name: string): unknown
  names(): string[]
  /** Gathers a change; `undefined` forgets. */
  set(name: string, value: unknown): void
  /** Writes what has gathered, of about this many bytes at most. @returns whether there is more */
  flush(): boolean
}

interface KeptRow {
  id: number
  name: string
  data: string
}

/** Characters in one transaction: what the disk takes in some milliseconds. */
const mostAtOnce = 512 * 1024

export function openKept(store: Store): Kept {
  const columns = [
    { name: 'name', type: 'TEXT', unique: true },
    { name: 'data', type: 'TEXT' },
  ] as const
  const { saved, save } = keyedRows<KeptRow, string>(store, { name: 'alert-state', columns }, ({ name }) => name)
  const changed = new Map<string, string | undefined>()

  return {
    names: () => [...saved.keys()],
    read(name) {
      const row = saved.get(name)
      return row && JSON.parse(row.data)
    },
    set(name, value) {
      const data = value === undefined ? undefined : JSON.stringify(value)
      if (data === saved.get(name)?.data) changed.delete(name)
      else changed.set(name, data)
    },
    flush() {
      const batch: [name: string, data: string | undefined][] = []
      let size = 0
      for (const [name, data] of changed) {
        if (size > mostAtOnce) break
        batch.push([name, data])
        size += data?.length ?? 0
      }
      save(batch.map(([name, data]) => [name, data === undefined ? undefined : { name, data }]))
      for (const [name] of batch) changed.delete(name)
      return changed.size > 0
    },
  }
}
