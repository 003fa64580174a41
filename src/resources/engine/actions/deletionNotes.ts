import type { Entity } from '../../../schemas/define/entity.ts'
import { isRestorable, secretFields } from '../../../undo/restorable.ts'
import type { Screen } from '../define/screen.ts'

/** What a confirmation says of taking a deletion back; `undefined` where that cannot be done. */
export function deletionNotes(
  entity: Entity,
  { texts, translate }: Pick<Screen, 'texts' | 'translate'>,
): string[] | undefined {
  if (!globalThis.indexedDB || !isRestorable(entity)) return undefined
  const fields = secretFields(entity).map(({ name }) => texts.label(name))
  return [
    translate(entity.api.reappearsBy ? 'app.confirm.reappears' : 'app.confirm.reversible'),
    ...(fields.length > 0 ? [translate('app.confirm.secrets_lost', { fields: fields.join(', ') })] : []),
  ]
}
