import { describeFields, type FieldDescription, isConcealed } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'

/** Stands in the file for the value of a secret: the server keeps the one that it has. */
export const keptSecret = 'kept'

/** A variable in the text of a secret, as `${TOKEN}`. */
export const variablePattern = /\$\{(\w+)\}/g

/**
 * Variables that no file may have: what the commands themselves read from the environment to sign in. A file comes from
 * whoever may change it, and would send them to an address of its choice.
 */
export const isReservedVariable = (name: string) => /^(WHEELHOUSE_\w*|ADMIN_PASSWORD)$/i.test(name)

/** Whether the value never stands in the file. */
export const isSecret = isConcealed

/** The ways to what is secret in the values of a field: to the value itself, or into it, `*` for each entry. */
export const secretWays = (field: FieldDescription): readonly (readonly string[])[] =>
  isSecret(field) ? [[]] : (field.secrets ?? [])

const fieldsByEntity = new WeakMap<Entity, readonly FieldDescription[]>()

/** The fields of a record in the file, in their order there: the name first. */
export function configuredFields(entity: Entity): readonly FieldDescription[] {
  let fields = fieldsByEntity.get(entity)
  if (!fields) {
    const stored = describeFields(entity).filter((field) => field.editable && !field.transient)
    const isName = ({ name }: FieldDescription) => name === entity.nameField
    fields = [...stored.filter(isName), ...stored.filter((field) => !isName(field))]
    fieldsByEntity.set(entity, fields)
  }
  return fields
}

/** Whether the server has this field of the record: older ones leave out what they do not know. */
export const hasField = ({ name, newer }: FieldDescription, record: Values) => !newer || name in record
