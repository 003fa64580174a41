import type { FieldDescription } from '../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import type { Column } from '../../db/table.ts'
import type { JsonNode } from '../../wire/parseJson.ts'
import { readTyped } from '../../wire/readTyped.ts'
import type { WireType } from '../../wire/wireType.ts'

/**
 * Reads the value of a field from the body of a request.
 * @param place the field as error messages name it: `Go struct field ServerForm.name`
 * @throws ApiError for a value of another type
 */
export type FieldReader = (node: JsonNode, place: string) => unknown

/** What the server needs to know of a field kind. */
export interface FieldKind {
  /** The type of its column in SQLite. */
  column(field: FieldDescription): Column['type']
  /** JSON Schema of its values as replies have them, for openapi.json. */
  schema(field: FieldDescription): Values
  reader(field: FieldDescription, entity: Entity): FieldReader
  /** Refuses values of an entity of our own that its schema would accept. @throws ApiError */
  check?(value: unknown, name: string): void
}

/** A reader that takes any value of a wire type. */
export const readerOf =
  (type: WireType): FieldReader =>
  (node, place) =>
    readTyped(node, type, place)
