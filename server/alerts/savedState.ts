import { keyedTable } from '../db/keyedTable.ts'
import type { Store } from '../db/store.ts'

/** State of the alert rules that must survive a restart, by name. Only changes are written. */
export interface SavedState {
  /** The saved value of a name; `undefined` when there is none. */
  read(name: string): unknown
  names(): string[]
  /** Remembers a change for `flush`; `undefined` deletes. */
  set(name: string, value: unknown): void
  /** Writes a batch of changes. @returns whether there are more */
  flush(): boolean
}

interface StateRow {
  id: number
  name: string
  data: string
}

/** Characters in one transaction, which take the disk a few milliseconds. */
const maxBatchLength = 512 * 1024

export function openSavedState(store: Store): SavedState {
  const columns = [
    { name: 'name', type: 'TEXT', unique: true },
    { name: 'data', type: 'TEXT' },
  ] as const
  const { saved, save } = keyedTable<StateRow, string>(store, { name: 'alert-state', columns }, ({ name }) => name)
  const changed = new Map<string, string | undefined>()

  return {
    names: () => [...saved().keys()],
    read(name) {
      const row = saved().get(name)
      return row && JSON.parse(row.data)
    },
    set(name, value) {
      const data = value === undefined ? undefined : JSON.stringify(value)
      if (data === saved().get(name)?.data) changed.delete(name)
      else changed.set(name, data)
    },
    flush() {
      const batch: [name: string, data: string | undefined][] = []
      let size = 0
      for (const [name, data] of changed) {
        if (size > maxBatchLength) break
        batch.push([name, data])
        size += data?.length ?? 0
      }
      save(batch.map(([name, data]) => [name, data === undefined ? undefined : { name, data }]))
      for (const [name] of batch) changed.delete(name)
      return changed.size > 0
    },
  }
}
