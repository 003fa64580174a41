import { choicesText } from '../../../src/schemas/define/describe.ts'
import { type FieldKind, readerOf } from './fieldKind.ts'

/** Codes that have a type of their own on real servers: their error messages name it. */
const typeNames: Readonly<Record<string, string | undefined>> = { 'user.role': 'model.Role' }

export const choice: FieldKind = {
  column: () => 'INTEGER',
  // Any code: records that are read may have one that forms refuse.
  schema: ({ choices = {} }) => ({ type: 'integer', description: choicesText(choices) }),
  reader: (field, entity) => readerOf({ kind: 'uint8', name: typeNames[`${entity.name}.${field.name}`] }),
}
