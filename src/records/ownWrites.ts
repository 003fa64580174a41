import type { Identifier } from 'ra-core'
import { createEmitter } from '../events/emitter.ts'

const written = new Map<string, Set<string>>()
const writes = createEmitter()

/** The ids of the records that this page has written, by entity: what changed in them was seen by this person. */
export const ownWrites: ReadonlyMap<string, ReadonlySet<string>> = written

/** Calls the listener after every write of this page. Returns how to unsubscribe. */
export const subscribeToOwnWrites = writes.subscribe

export function noteOwnWrite(entity: string, ids: readonly Identifier[]): void {
  const idsOfEntity = written.get(entity) ?? new Set()
  written.set(entity, idsOfEntity)
  for (const id of ids) idsOfEntity.add(String(id))
  writes.emit()
}
