import {
  type AlertState,
  type PackedAlertState,
  packAlertState,
  unpackAlertState,
  type WatchedAlert,
} from '../../src/domain/alerts/alertState.ts'
import type { CompiledAlert } from '../../src/domain/alerts/compileAlert.ts'
import type { SavedState } from './savedState.ts'

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
