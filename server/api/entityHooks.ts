import type { Right } from '../../src/schemas/define/access.ts'
import type { Consequence } from '../../src/schemas/define/effects.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Form, type Owned, type ResponseRow, type Row } from '../entities/entityTable.ts'
import type { Person, ReachedServers } from '../person.ts'
import type { ListFilter, OwnFilters } from './listFilter.ts'

/** Who asks, and where the records are. */
export interface Context {
  store: Store
  /** `undefined` when nobody is signed in. */
  person: Person | undefined
  /** Whose the record is that is saved: see `ownerOfTeam`. Only where one is. */
  ownerId?: number
}

/**
 * What an entity needs on the server beyond its schema. A feature exports the hooks of its entities, and the app collects
 * them by entity name. Every member is optional; an entity without hooks is a plain record.
 */
export type EntityHooks<E extends Entity = Entity> = Hooks<Form<E>, Row<E>>

interface Hooks<EntityForm, EntityRow> {
  /** Replaces the table of the entity. No other hook but `validation` is called then. */
  records?: Records
  /** Replaces the table of an entity that is paged by the server (`api.paging`). No other hook is called then. */
  pagedRows?: PagedRows
  /**
   * What decides whether a form may be saved (docs/decisions/request-validation.md).
   *
   * `schema`, the default: the entity's `form` schema, and after it the hook `validate`.
   *
   * `contract`: the hook `validate` alone, for entities that real servers have too. They accept more than the schema
   * does, and scripts rely on it. Bodies are refused in the words of the contract's parser, and what a form leaves out
   * becomes a zero value.
   */
  validation?: 'schema' | 'contract'
  /**
   * Runs before a complete form is validated, outside the transaction, when it is known that this person may save; for
   * what takes time, such as a test message. @throws ApiError
   */
  beforeSave?(form: EntityForm, context: Context): Promise<void>
  /**
   * Checks a complete form, and returns the form to save. References are checked afterwards.
   * @param row the stored record, when one is changed
   * @throws ApiError
   */
  validate?(form: EntityForm, context: Context, row?: EntityRow): EntityForm
  /** The contract's error for an id of a field that does not exist; `undefined` leaves it to the schema. */
  unknownReference?(field: string, id: number, form: EntityForm): string | undefined
  /** The `data` of the reply to an update. Default: none. */
  updateReply?(id: number): unknown
  /** The error for an update of an id that does not exist. */
  notFoundError?(id: number): string
  /** The error for an update of somebody else's record. */
  notOwnerError?: string
  /**
   * The servers that a record or a form is about, for API tokens that are limited to some. Default: the entity is closed
   * to these tokens.
   */
  serversOf?(record: EntityForm | EntityRow): ReachedServers
  /**
   * The right on the servers of a record with which others than its owner see it in lists and change it; nobody deletes
   * it by a role. Default: roles do not count.
   */
  rights?: { see?: Right; change?: Right }
  /** The right on the records that it names with which it may name those of others. Default: roles do not count. */
  namesWith?: Right
  /** Whether a field may name a record that is hidden from the person, because of what else the form names. */
  mayName?(field: string, form: EntityForm, context: Context): boolean
  /** Whether a list shows the record. Default: its owner and administrators see it. */
  isVisible?(row: EntityRow, context: Context): boolean
  /** The order of lists. Default: by id. */
  compare?(a: EntityRow, b: EntityRow): number
  /** Adds to a record what is not stored with it. */
  present?(encoded: ResponseRow, row: EntityRow, context: Context): ResponseRow
  /**
   * Whether a record is of no use to anybody else: it is deleted with its owner, also where the others are moved, and
   * belongs to no team.
   */
  isPersonal?(record: EntityForm | EntityRow): boolean
  /** The team that a new record belongs to without its maker's choice; 0 for none. */
  teamOf?(form: EntityForm, context: Context): number
  /** Runs after a record was given to a team or taken from it, in the same transaction. */
  afterGiving?(row: EntityRow, context: Context): void
  /**
   * What changes in a record that a member owned and an administrator gets, so that it reaches no more than before.
   * @param servers the ids of the servers of the member or of the team
   */
  narrowed?(row: EntityRow, servers: ReadonlySet<number>): Partial<EntityRow>
  /**
   * What saving a form, which may lack fields, can lead to beyond what the call and the records that it names do.
   * @param id of the record that is changed
   */
  leadsTo?(given: Partial<EntityForm>, context: Context, id?: number): Consequence | undefined
  /** Runs after a deletion, in the same transaction. @param rows what was deleted, in the order of `ids` */
  afterDelete?(ids: readonly number[], context: Context, rows: readonly EntityRow[]): void
}

/** Hooks by entity name. */
export type HooksByEntity = Readonly<Record<string, EntityHooks | undefined>>

/** The records of one entity, as one person may see and change them. Knows no HTTP. */
export interface Records {
  /**
   * Each is made when it is asked for: ten thousand at once would hold others up.
   * @param ids only these, or all when none of them exists (docs/contract/CONTRACT.md#2-envelope-and-status-codes)
   */
  list(person: Person | undefined, ids: ReadonlySet<number>): Iterable<unknown>
  /**
   * Whether a record exists and this person may refer to it; what they may only look at is hidden.
   * @param right with which it may be one of others. Default: only own ones
   * @param ownerId whose record refers to it. Default: the person's
   */
  visibility(person: Person | undefined, id: number, right?: Right, ownerId?: number): Visibility
  /**
   * @param personNow asked after what takes time, before the write: the person with their present role. It throws when
   *   they may not save any more. Default: they are as they were
   */
  create(person: Person | undefined, given: Form, personNow?: () => Person | undefined): Promise<number>
  /** As `create`. Resolves with the `data` of the reply. Absent where records cannot be changed. */
  update?(person: Person | undefined, id: number, given: Form, personNow?: () => Person | undefined): Promise<unknown>
  /**
   * As `create` and `update`, for a transaction around several changes: what takes time before a save is left out.
   * Absent where the records are in no table of their own.
   */
  insert?(person: Person | undefined, given: Form): number
  replace?(person: Person | undefined, id: number, given: Form): void
  /** Deletes all of them or, when one is somebody else's, none. Unknown ids are ignored. */
  remove(person: Person | undefined, ids: readonly number[]): void
}

/** `foreign`: the person may see it, and the record that refers to it may not use it (`mayUse`). */
export type Visibility = 'visible' | 'hidden' | 'foreign' | 'missing'

/** Rows that the server pages by offset and limit. */
export interface PagedRows {
  /** All of them, in the order of the list. @throws ApiError when this person may not see them */
  all?(context: Context): readonly ResponseRow[]
  /** In place of `all` where they are too many to hold in memory: one page, and how many there are that match. */
  page?(
    offset: number,
    limit: number,
    context: Context,
    filter: ListFilter | undefined,
  ): Promise<{ rows: readonly ResponseRow[]; total: number }>
  /** What decides for parameters of `api.filters` that are no fields. */
  filters?: OwnFilters
  /** Removes every row whose `batchKey` has one of these values; unknown values are ignored. */
  remove?(keys: readonly string[], context: Context): void
}

/**
 * Groups of records (docs/contract/CONTRACT.md#55-server-groups-and-notifier-groups). Names may be empty, as on real
 * servers.
 * @param membersKey the field that holds the ids of the members
 * @param unknownMember the error for an id that does not exist
 */
export const memberGroupHooks = (
  membersKey: string,
  unknownMember: string,
): Pick<EntityHooks, 'validation' | 'notFoundError' | 'unknownReference'> => ({
  validation: 'contract',
  notFoundError: (id) => `group id ${id} does not exist`,
  unknownReference: (field) => (field === membersKey ? unknownMember : undefined),
})

/** Real servers fail on repeated ids that are not neighbours; here the order does not matter. */
export const sortedMembers = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

/**
 * Takes members out of groups, as when they are deleted.
 * @param leaves whether they leave a group, by its owner. Default: all
 * @returns the ids of the groups that they were in
 */
export function dropMembers(
  store: Store,
  groups: Entity,
  membersKey: string,
  dropped: readonly number[],
  leaves: (group: Owned) => boolean = () => true,
): number[] {
  const ids = new Set(dropped)
  const table = entityTable(store, groups)
  return table.all().flatMap((group) => {
    const members = group[membersKey] as number[]
    if (!members.some((id) => ids.has(id)) || !leaves(group)) return []
    table.update(group.id, { [membersKey]: members.filter((id) => !ids.has(id)) })
    return [group.id]
  })
}
