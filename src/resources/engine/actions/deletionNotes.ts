import type { Entity } from '../../../schemas/define/entity.ts'
import { isRestorable } from '../../../undo/restorable.ts'
import type { Screen } from '../define/screen.ts'

/** What a confirmation says of taking a deletion back; `undefined` where that cannot be done. */
export function deletionNotes(entity: Entity, { translate }: Pick<Screen, 'translate'>): string[] | undefined {
  if (!globalThis.indexedDB || !isRestorable(entity)) return undefined
  return [translate(entity.api.reappearsBy ? 'app.confirm.reappears' : 'app.confirm.reversible')]
}
