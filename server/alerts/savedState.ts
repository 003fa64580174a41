import {
  type AlertState,
  type PackedAlertState,
  packAlertState,
  unpackAlertState,
  type WatchedAlert,
} from '../../src/domain/alerts/alertState.ts'
import type { CompiledAlert } from '../../src/domain/alerts/compileAlert.ts'
import type { Store } from '../db/store.ts'
import { keyedTable } from '../db/writeBehind.ts'

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

/** The saved state of an alert, in the format of the database. */
interface SavedAlert {
  version: string
  /** The highest id of the evaluated servers. For a lower id that is not among the pairs, all samples had passed. */
  upTo: number
  pairs: (readonly [serverId: number, PackedAlertState])[]
}

const nameOf = ({ id }: CompiledAlert) => `alert ${id}`

/**
 * Saves the state of an alert on those servers where not all samples have passed.
 * @param turn called between servers, whose state must not change meanwhile
 */
export async function saveAlert(
  savedState: SavedState,
  { alert, stateByServer }: WatchedAlert,
  turn: () => Promise<void> | undefined,
): Promise<void> {
  const saved: SavedAlert = { version: alert.version, upTo: 0, pairs: [] }
  for (const [id, state] of stateByServer) {
    saved.upTo = Math.max(saved.upTo, id)
    const packed = packAlertState(alert, state)
    if (packed) saved.pairs.push([id, packed])
    const others = turn()
    if (others) await others
  }
  savedState.set(nameOf(alert), saved)
}

/**
 * The saved state of an alert; `undefined` when there is none, or when the rule was saved again since. A function for
 * single servers, because unpacking all of them at once would block the event loop.
 */
export function restoreAlert(
  savedState: SavedState,
  alert: CompiledAlert,
): ((serverId: number) => AlertState | undefined) | undefined {
  const saved = savedState.read(nameOf(alert)) as SavedAlert | undefined
  const lastCheck = savedState.read('latest')
  if (saved?.version !== alert.version || typeof lastCheck !== 'number') return undefined
  const packedByServer = new Map(saved.pairs)
  return (id) => (id <= saved.upTo ? unpackAlertState(alert, packedByServer.get(id), lastCheck) : undefined)
}
