import type { z } from 'zod'
import type { cron } from '../../src/schemas/cron.ts'
import { describeFields, emptyValue, type FieldDescription } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import type { Values } from '../../src/schemas/define/values.ts'
import type { server } from '../../src/schemas/server.ts'
import { recordChanges } from '../changes/changeLog.ts'
import type { Store } from '../db/store.ts'
import type { Column, ResidentTable, TableDefinition } from '../db/table.ts'
import { fieldKinds } from './kinds/fieldKinds.ts'

const recorded = new WeakSet<object>()

/** The table that holds the records of an entity; what is written to it is recorded in the history of changes. */
export function entityTable<E extends Entity>(store: Store, entity: E): ResidentTable<Row<E>> {
  const table = store.resident<Row<E>>(tableOf(entity))
  if (!recorded.has(table)) recordChanges(store, entity, table, ownerOf)
  recorded.add(table)
  return table
}

const ownerOf = ({ user_id = 0 }: Partial<Row>) => user_id

const definitions = new WeakMap<Entity, TableDefinition>()

/** The table of an entity, made from the descriptions of its fields; new fields become new columns. */
export function tableOf(entity: Entity): TableDefinition {
  let definition = definitions.get(entity)
  if (!definition) {
    const stored = describeFields(entity).filter(({ name, transient }) => name !== 'id' && !transient)
    definition = { name: entity.name, columns: [...stored.map(columnOf), owner, maker, memberRights] }
    definitions.set(entity, definition)
  }
  return definition
}

const columnOf = (field: FieldDescription): Column => ({
  name: field.name,
  type: fieldKinds[field.kind].column(field),
  initial: field.initial ?? emptyValue(field.kind),
})

// The columns of `Owned`.
const owner: Column = { name: 'user_id', type: 'INTEGER', initial: 0, indexed: true }
const maker: Column = { name: 'made_by', type: 'INTEGER', initial: 0 }
const memberRights: Column = { name: 'has_member_rights', type: 'FLAG', initial: false }

/**
 * A record as it is stored, typed by the schema of its entity: `Row<typeof server>`. No field is missing, because a column
 * is filled with the empty value of its kind; that of objects and of JSON text is `null`. Fields that only travel with
 * a save are in the type, and not in the row.
 */
export type Row<E extends Entity = Entity> = Entity extends E
  ? Values & Owned
  : Stored<E['form']> & Stored<E['computed']> & Owned

export type ServerRow = Row<typeof server>
export type TaskRow = Row<typeof cron>

/** What every record has. The owner is not on the wire. */
export type Owned = {
  readonly id: number
  /** A person, a team below 0, or 0 for nobody: see `ownerOfTeam`. */
  readonly user_id: number
  /** Of what belongs to a team, the person who made it for the team or gave it; else 0. */
  readonly made_by?: number
  /** Set for what a member owned before an administrator did, until an administrator saves it. */
  readonly has_member_rights?: boolean
}

/** The fields of a create or an update, complete: what was left out is the empty value of its kind. */
export type Form<E extends Entity = Entity> = Entity extends E ? Values : Stored<E['form']>

/** A record as a reply has it. */
export type ResponseRow = Values

type Stored<Schema extends z.ZodObject> = {
  readonly [Name in keyof Schema['shape']]: StoredValue<Schema['shape'][Name]>
}

type StoredValue<Field extends z.ZodType> =
  | Exclude<z.output<Field>, undefined>
  | (IsEmptyNull<Field, Exclude<z.output<Field>, undefined>> extends true ? null : never)

/** Whether the empty value of a field is `null`: lists are empty lists, unless people write them as JSON text. */
type IsEmptyNull<Field, Value> = Field extends z.ZodOptional<infer Inner> | z.ZodDefault<infer Inner>
  ? IsEmptyNull<Inner, Value>
  : Field extends z.ZodPreprocess<z.ZodType>
    ? true
    : Value extends readonly unknown[]
      ? false
      : Value extends object
        ? true
        : false
