import type { z } from 'zod'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { cachedRows } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Form, Row } from '../entities/row.ts'
import { validateForm } from '../entities/validateForm.ts'
import { owns, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { timestamp } from '../wire/timestamp.ts'
import type { Behaviour, Context } from './entityHooks.ts'

/** The records of one entity, as one person may see and change them. Knows no HTTP. */
export interface Records {
  /**
   * @param ids only these, unless none of them is there: then all
   * (docs/contract/CONTRACT.md#2-envelope-and-status-codes)
   */
  list(person: Person | undefined, ids: ReadonlySet<number>): unknown[]
  create(person: Person | undefined, given: Form): Promise<number>
  /** Resolves with what the reply holds. Absent where no call changes a record. */
  update?(person: Person | undefined, id: number, given: Form): Promise<unknown>
  /** All of them or, when one is somebody else's, none. Unknown ids are passed over. */
  remove(person: Person | undefined, ids: readonly number[]): void
}

export function createRecords(entity: Entity, store: Store, behaviour: Behaviour): Records {
  const { completeForm, keepConcealed, withoutTransient, encodeRow } = compileEntity(entity)
  const table = entityTable(store, entity)
  const isVisible = behaviour.isVisible ?? ((row: Row, { person }: Context) => owns(person, row))

  function checked(given: Form, context: Context, row?: Row): Form {
    const form = behaviour.check
      ? behaviour.check(completeForm(given), context, row)
      : completeForm(validateForm(entity, given))
    return withoutTransient(form)
  }

  /** The record that somebody wants to change. @throws ApiError */
  function ownRow(id: number, person: Person | undefined): Row {
    const row = table.get(id)
    if (!row) throw new ApiError(behaviour.missing?.(id) ?? `${entity.name} id ${id} does not exist`)
    if (!owns(person, row)) throw new ApiError(behaviour.foreign ?? 'permission denied')
    return row
  }

  function toWire(row: Row, context: Context): unknown {
    const flat = encodeRow(row)
    const wire = behaviour.present?.(flat, row, context) ?? flat
    return entity.api.row ? (entity.api.row as z.ZodType<unknown, unknown>).encode(wire) : wire
  }

  return {
    list(person, ids) {
      const context = { store, person }
      const visible = cachedRows(table).filter((row) => isVisible(row, context))
      const asked = visible.filter(({ id }) => ids.has(id))
      const rows = asked.length > 0 ? asked : visible
      if (behaviour.order) rows.sort(behaviour.order)
      return rows.map((row) => toWire(row, context))
    },
    async create(person, given) {
      const context = { store, person }
      await behaviour.prepare?.(completeForm(given), context)
      return store.transaction(() => {
        const form = checked(given, context)
        const now = timestamp()
        return table.insert({ ...form, user_id: person?.id ?? 0, created_at: now, updated_at: now })
      })
    },
    async update(person, id, given) {
      const context = { store, person }
      const prepared = keepConcealed(given, ownRow(id, person))
      await behaviour.prepare?.(completeForm(prepared), context)
      store.transaction(() => {
        // Preparing may have taken its time: the row may be gone, or hold another secret.
        const row = ownRow(id, person)
        const form = checked(keepConcealed(given, row), context, row)
        table.update(id, { ...form, updated_at: timestamp() })
      })
      return behaviour.updated?.(id)
    },
    remove: (person, ids) =>
      store.transaction(() => {
        const asked = new Set(ids)
        const rows = cachedRows(table).filter(({ id }) => asked.has(id))
        if (!rows.every((row) => owns(person, row))) throw new ApiError('permission denied')
        const gone = rows.map(({ id }) => id)
        table.remove(gone)
        if (gone.length > 0) behaviour.removed?.(gone, { store, person })
      }),
  }
}
