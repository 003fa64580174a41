import type { z } from 'zod'
import { type Right, roles } from '../../src/schemas/define/access.ts'
import { referencedIds } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { server } from '../../src/schemas/server.ts'
import { createTeams, hasTeams, ownerRolesIn } from '../auth/teams/teams.ts'
import { usersIn } from '../auth/users/users.ts'
import type { Store } from '../db/store.ts'
import { checkTexts, compileEntity, type FormReference, validateForm } from '../entities/compileEntity.ts'
import { entityTable, type Form, type Owned, type Row } from '../entities/entityTable.ts'
import { checkRecordQuota, checkTextQuota, makerFor } from '../entities/memberQuota.ts'
import {
  isAdmin,
  isOwner,
  makerOf,
  may,
  mayReach,
  mayUse,
  ownerOfTeam,
  owns,
  type Person,
  teamOfOwner,
} from '../person.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'
import type { Context, EntityHooks, Records } from './entityHooks.ts'

interface RecordServices {
  store: Store
  hooks: EntityHooks
  checkReferences: ReferenceCheck
  owners: RecordOwners
  /** How many records of an entity a member or a team may have. */
  recordsPerMember: () => number
}

/** The records of an entity in a table of their own. */
export function createRecords(entity: Entity, services: RecordServices): Records {
  const { store, hooks, checkReferences, owners, recordsPerMember } = services
  const { completeForm, keepConcealed, keepLeftOut, withoutTransient, encodeRow, limits } = compileEntity(entity)
  const table = entityTable(store, entity)
  const belongsToTeams = 'team' in entity.form.shape
  const serversOf = (record: Form) => hooks.serversOf?.(record) ?? 'all'
  /** @param right by which it may be somebody else's; roles do not count for records that name no servers */
  const isOwn = (person: Person | undefined, row: Row, right?: Right) =>
    right && hooks.serversOf ? may(person, right, row, serversOf(row)) : owns(person, row, serversOf(row))
  const isVisible = hooks.isVisible ?? ((row: Row, { person }: Context) => isOwn(person, row, hooks.rights?.see))

  /** The complete form; the entity's schema has accepted it, unless the contract decides. @throws ApiError */
  function completed(given: Form, row?: Row): Form {
    const form = completeForm(hooks.validation === 'contract' ? given : validateForm(entity, given))
    limits.check(form, row)
    return form
  }

  /** Values that a client does not know, was not shown, or only in part, stay as they are stored. */
  const keepHidden = (given: Form, row: Row): Form => limits.keepCut(keepConcealed(keepLeftOut(given, row), row), row)

  /** Whose a record is to be with this form. @throws ApiError */
  function ownershipOf(form: Form, person: Person | undefined, row?: Row): Ownership {
    const asked = belongsToTeams ? Number(form.team) : 0
    if (row) return belongsToTeams ? owners.ofSaved(person, row, asked) : { user_id: row.user_id, made_by: madeBy(row) }
    return owners.ofNew(person, belongsToTeams ? asked : (hooks.teamOf?.(form, { store, person }) ?? 0))
  }

  function validated(given: Form, person: Person | undefined, row?: Row): { form: Form; ownership: Ownership } {
    const complete = completed(given, row)
    const ownership = ownershipOf(complete, person, row)
    const context = { store, person, ownerId: ownership.user_id }
    const form = hooks.validate?.(complete, context, row) ?? complete
    if (hooks.validation === 'contract') checkTexts(entity, given, row)
    // With another owner, what it names already has to be theirs as well.
    checkReferences(form, context, row?.user_id === ownership.user_id ? row : undefined)
    if (!mayReach(person, serversOf(form))) throw new ApiError('permission denied')
    if (teamOfOwner(ownership.user_id) > 0 && hooks.isPersonal?.(form)) {
      throw new ApiError('team: this is of no use to anybody else, so it cannot belong to a team')
    }
    return { form: withoutTransient(form), ownership }
  }

  /** The record that somebody wants to change. @throws ApiError */
  function ownRow(id: number, person: Person | undefined): Row {
    const row = table.get(id)
    if (!row) throw new ApiError(hooks.notFoundError?.(id) ?? `${entity.name} id ${id} does not exist`)
    if (!isOwn(person, row, hooks.rights?.change)) throw new ApiError(hooks.notOwnerError ?? 'permission denied')
    return row
  }

  function toResponse(row: Row, context: Context): unknown {
    const { team, ...others } = encodeRow(row)
    const encoded = belongsToTeams && owners.tellsTeam(context.person, row) ? { ...others, team } : others
    const presented = hooks.present?.(encoded, row, context) ?? encoded
    return entity.api.row ? (entity.api.row as z.ZodType<unknown, unknown>).encode(presented) : presented
  }

  const insert = (person: Person | undefined, given: Form): number =>
    store.transaction(() => {
      const { form, ownership } = validated(given, person)
      const quota = { entity, table, userId: ownership.user_id, maker: makerFor(person) }
      const now = timestamp()
      if (!isAdmin(person)) checkRecordQuota({ ...quota, recordsPerMember: recordsPerMember() })
      const id = table.insert({ ...form, ...ownership, created_at: now, updated_at: now })
      if (!isAdmin(person)) checkTextQuota(quota, lengthOf(form))
      return id
    })

  const replace = (person: Person | undefined, id: number, given: Form): void =>
    store.transaction(() => {
      const row = ownRow(id, person)
      const { form, ownership } = validated(keepHidden(given, row), person, row)
      const isGiven = ownership.user_id !== row.user_id
      const quota = { entity, table, userId: ownership.user_id }
      if (isGiven && !isAdmin(person)) checkRecordQuota({ ...quota, recordsPerMember: recordsPerMember() })
      const reviewed = isAdmin(person) && { has_member_rights: false }
      const narrowed = isGiven && owners.narrowed({ ...row, ...form }, ownership.user_id, hooks)
      table.update(id, { ...form, ...reviewed, ...(isGiven && ownership), ...narrowed, updated_at: timestamp() })
      const after = isGiven ? table.get(id) : undefined
      if (after) hooks.afterGiving?.(after, { store, person, ownerId: ownership.user_id })
      if (isAdmin(person)) return
      const before = Object.fromEntries(Object.keys(form).map((name) => [name, row[name]]))
      const maker = makerOf(row) === person?.id ? makerFor(person) : undefined
      checkTextQuota({ ...quota, maker }, lengthOf(form) - lengthOf(before))
      if (isGiven) checkTextQuota(quota, lengthOf(form))
    })

  /** Each is made when it is asked for. */
  function* responses(rows: readonly Row[], context: Context): Iterable<unknown> {
    for (const row of rows) yield toResponse(limits.cut(row), context)
  }

  return {
    insert,
    replace,
    list(person, ids) {
      const context = { store, person }
      const visible = table.all().filter((row) => isVisible(row, context))
      const requested = visible.filter(({ id }) => ids.has(id))
      // Whole, however long its values are: many of them together could not be sent.
      if (requested.length === 1) return requested.map((row) => toResponse(row, context))
      const rows = requested.length > 0 ? requested : visible
      if (hooks.compare) rows.sort(hooks.compare)
      return responses(rows, context)
    },
    visibility(person, id, right, ownerId = person?.id ?? 0) {
      const row = table.get(id)
      if (!row) return 'missing'
      if (!isOwn(person, row, right)) return 'hidden'
      const isByRole = right !== undefined && person?.grants?.has(right, serversOf(row)) === true
      return isByRole || mayUse(ownerId, row, owners.roleOf) ? 'visible' : 'foreign'
    },
    async create(person, given, personNow = () => person) {
      if (hooks.beforeSave) {
        const form = completed(given)
        await hooks.beforeSave(form, { store, person, ownerId: ownershipOf(form, person).user_id })
      }
      return insert(personNow(), given)
    },
    async update(person, id, given, personNow = () => person) {
      const stored = ownRow(id, person)
      if (hooks.beforeSave) {
        const form = completed(keepHidden(given, stored), stored)
        await hooks.beforeSave(form, { store, person, ownerId: ownershipOf(form, person, stored).user_id })
      }
      // The hook may have taken long: the person or the row may be gone, or hold another secret.
      replace(personNow(), id, given)
      return hooks.updateReply?.(id)
    },
    remove: (person, ids) =>
      store.urgently(() => {
        // One by one: a plan may delete thousands with a call each, after which the rows in memory are out of date.
        const requested = [...new Set(ids)].sort((one, other) => one - other)
        const rows = requested.flatMap((id) => table.get(id) ?? [])
        if (!rows.every((row) => isOwn(person, row))) throw new ApiError('permission denied')
        const deleted = rows.map(({ id }) => id)
        table.remove(deleted)
        if (deleted.length > 0) hooks.afterDelete?.(deleted, { store, person }, rows)
      }),
  }
}

const madeBy = ({ made_by = 0 }: Row) => made_by

const lengthOf = (form: Form) => JSON.stringify(form).length

/** Whose a record is, as its table has it. */
type Ownership = Required<Pick<Owned, 'user_id' | 'made_by'>>

/** Decides whose a record is that somebody makes, and who may give it to a team or take it back. */
interface RecordOwners {
  /** An owner's role; `undefined` when the user or the team no longer exists. */
  roleOf(ownerId: number): number | undefined
  /**
   * Whether somebody is told to which team a record belongs, or that it belongs to none: people who have to do with teams
   * are, but of a team that they are not in.
   */
  tellsTeam(person: Person | undefined, row: Pick<Owned, 'user_id'>): boolean
  /**
   * @param team to which it shall belong; 0: to a person
   * @throws ApiError when this person may not decide so
   */
  ofNew(person: Person | undefined, team: number): Ownership
  /**
   * The same of a record that is saved. It belongs to whom it did where `team` is that of the record.
   * @throws ApiError
   */
  ofSaved(person: Person | undefined, row: Row, team: number): Ownership
  /**
   * What changes in a record that belonged to a team, so that it reaches no more than before: everybody in the team could
   * write it, and give it to a person who has servers of their own, or is an administrator.
   */
  narrowed(row: Row, to: number, hooks: Pick<EntityHooks, 'narrowed'>): Partial<Row>
}

export function createRecordOwners(store: Store): RecordOwners {
  const users = usersIn(store)
  const teams = createTeams(store)
  const servers = entityTable(store, server)

  const roleOf = ownerRolesIn(store)

  /** @throws ApiError, the same for a team that does not exist and for one that is not theirs */
  function checkTeam(person: Person | undefined, team: number): void {
    const isTheirs = isAdmin(person) || isOwner(person, ownerOfTeam(team))
    if (!teams.has(team) || !isTheirs) throw new ApiError(`team: team id ${team} does not exist, or you are not in it`)
  }

  /**
   * Who gets a record that leaves its team: the person who made it or gave it. Nobody else in the team takes it from there,
   * neither for themselves nor for that person: what these have besides may use it, as everybody in the team could write it.
   * @throws ApiError
   */
  function receiverOf(person: Person | undefined, row: Row): number {
    const maker = users.get(makerOf(row))
    if (person && isAdmin(person)) return maker?.id ?? person.id
    if (person && person.id === maker?.id) return person.id
    throw new ApiError(
      'team: only the person who gave this to the team, while they are in it, and administrators take it from the team',
    )
  }

  return {
    roleOf,
    tellsTeam: (person, { user_id }) =>
      hasTeams(person, teams) && (isAdmin(person) || teamOfOwner(user_id) === 0 || isOwner(person, user_id)),
    ofNew(person, team) {
      const maker = person?.id ?? 0
      if (team === 0) return { user_id: maker, made_by: 0 }
      checkTeam(person, team)
      return { user_id: ownerOfTeam(team), made_by: maker }
    },
    ofSaved(person, row, team) {
      const present = teamOfOwner(row.user_id)
      if (team === present) return { user_id: row.user_id, made_by: row.made_by ?? 0 }
      if (!isAdmin(person) && !isOwner(person, row.user_id)) {
        throw new ApiError('team: only its owner and administrators give this to a team')
      }
      if (team === 0) return { user_id: receiverOf(person, row), made_by: 0 }
      if (present > 0 && !isAdmin(person)) {
        throw new ApiError('team: this belongs to another team: only an administrator gives it to a second one')
      }
      checkTeam(person, team)
      return { user_id: ownerOfTeam(team), made_by: makerOf(row) }
    },
    narrowed(row, to, hooks) {
      if (teamOfOwner(row.user_id) === 0) return {}
      const ofTeam = new Set(servers.find({ user_id: row.user_id }).map(({ id }) => id))
      return { ...hooks.narrowed?.(row, ofTeam), has_member_rights: roleOf(to) === roles.admin }
    },
  }
}

/** @throws ApiError when the form names a record that does not exist, or that this person may not see */
type ReferenceCheck = (form: Form, context: Context, row?: Row) => void

/**
 * Checks the ids of other records in a form, as the schema declares them (`ref`, `refs`, `idSet`, `mentions`). An
 * update is checked for the ids that it adds: what a record refers to may have been deleted since, and it can still be
 * saved.
 * @param recordsOf the records of an entity by its name
 */
export function createReferenceCheck(
  entity: Entity,
  hooks: EntityHooks,
  recordsOf: (name: string) => Records,
): ReferenceCheck {
  const { references } = compileEntity(entity)

  function check(reference: FormReference, id: number, form: Form, context: Context): void {
    const { field, to, unknown } = reference
    const { person } = context
    const visibility = recordsOf(to).visibility(person, id, hooks.namesWith, context.ownerId)
    if (visibility === 'visible' || (visibility !== 'missing' && hooks.mayName?.(field, form, context))) return
    if (visibility === 'foreign') {
      throw new ApiError(
        `${field}: ${to.replaceAll('-', ' ')} id ${id} and this record belong to different owners: give both to one team`,
      )
    }
    if (visibility === 'hidden' && hooks.validation === 'contract') throw new ApiError('permission denied')
    const contractError = visibility === 'missing' ? hooks.unknownReference?.(field, id, form) : undefined
    if (contractError !== undefined) throw new ApiError(contractError)
    // A token could name the next id, and have what somebody makes with it later.
    if (visibility === 'missing' && unknown === 'accepted' && !person?.token) return
    const error = `${to.replaceAll('-', ' ')} id ${id} does not exist`
    // The same error for missing and hidden records, so that it does not show that a hidden one exists.
    throw new ApiError(hooks.validation === 'contract' ? error : `${field}: ${error}`)
  }

  return (form, context, row) => {
    for (const reference of references) {
      const { field, path } = reference
      const stored = new Set(row ? idsIn(row[field], path) : [])
      for (const id of idsIn(form[field], path)) {
        if (!stored.has(id) && !(id === 0 && reference.isOptional)) check(reference, id, form, context)
      }
    }
  }
}

/** The ids in the value of a field. */
export const idsIn = (value: unknown, path: readonly string[] | undefined): number[] =>
  referencedIds(value, path).flatMap((id) => (/^\d+$/.test(id) ? [Number(id)] : []))
