import type { DataProvider, Identifier } from 'ra-core'
import type { WriteMeta } from '../records/writeRecords.ts'
import { emptyValue } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import { sameValue, type Values } from '../schemas/define/values.ts'
import { formerValue } from './recordChange.ts'
import { restorableFields } from './restorable.ts'

/**
 * The fields to send so that a record is again as in an earlier version, and no others. Secrets, and fields that the
 * schema does not have, are never among them.
 *
 * @param base the record as it is, as far as the person knows
 * @param version the fields of the earlier version; with `only`, one that is absent was empty
 * @param only the fields that the version is about. Default: those that it has
 */
export function changesToVersion(
  entity: Entity,
  base: Values,
  version: Values,
  only: readonly string[] = Object.keys(version),
): Values {
  const asked = new Set(only)
  const fields = restorableFields(entity).filter(({ name }) => asked.has(name))
  const changes = fields.map((field) => [field, formerValue(entity, field, version)] as const)
  return Object.fromEntries(
    changes.flatMap(([{ name, kind }, value]) =>
      sameValue(base[name] ?? emptyValue(kind), value ?? emptyValue(kind)) ? [] : [[name, value]],
    ),
  )
}

/**
 * Brings a record to an earlier version by the rules of forms (docs/decisions/updating-records.md): fields that others
 * have changed since `base` to another value are asked about, all others stay as they are now. For the History of a
 * record and for "Recent changes".
 *
 * @param base the record as the person saw it when they decided
 * @param version the fields of the earlier version, of which some may be left out
 * @returns the names of the fields that were sent; none when the record already was like that
 * @throws HttpError with status 404 when the record is gone, and with status 409 and a `Conflict` as its body when
 * somebody has changed one of the fields since `base`: then nothing was sent, and `ConflictDialog` can ask
 */
export async function restoreVersion(
  provider: Pick<DataProvider, 'update'>,
  entity: Entity,
  { id, base, version, meta }: { id: Identifier; base: Values; version: Values; meta?: WriteMeta },
): Promise<string[]> {
  const data = changesToVersion(entity, base, version)
  const fields = Object.keys(data)
  if (fields.length > 0) await provider.update(entity.name, { id, data, previousData: { ...base, id }, meta })
  return fields
}
