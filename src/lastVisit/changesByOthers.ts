import { createEmitter } from '../events/emitter.ts'
import type { Change } from '../schemas/endpoints/changeEndpoints.ts'

/** What others have done since the last visit, as far as this server can tell. */
export type ChangesByOthers =
  /** The server records changes: the latest ones, and how many there are. */
  | { kind: 'recorded'; changes: readonly Change[]; total: number }
  /** It does not: the lists were compared with those of the last visit. */
  | { kind: 'compared'; differences: readonly ListDifference[] }

/** What is different in a list, by id. */
export interface ListDifference {
  entity: string
  added: readonly string[]
  changed: readonly string[]
  removed: readonly string[]
}

let current: ChangesByOthers | undefined
let markSeen = () => {}
const updates = createEmitter()

export const currentChangesByOthers = () => current

/** Fits `useSyncExternalStore`. */
export const subscribeToChangesByOthers = updates.subscribe

/** @param onSeen called when the person has seen the changes, or does not want to */
export function announceChangesByOthers(changes: ChangesByOthers, onSeen: () => void): void {
  current = changes
  markSeen = onSeen
  updates.emit()
}

export function dismissChangesByOthers(): void {
  current = undefined
  markSeen()
  markSeen = () => {}
  updates.emit()
}
