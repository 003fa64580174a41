import type { Identifier, RaRecord, SortPayload } from 'react-admin'
import type { Row } from '../../records/queryRows.ts'
import { isReadOnly } from '../../schemas/define/access.ts'
import type { BulkPlan } from '../bulk/planBulkEdit.ts'
import type { Column } from '../define/column.ts'
import type { Ranked } from './orderIndexes.ts'

/** Where a record goes: one place up or down among the rows that are shown, to the top of all, or next to another. */
export type Move = 'up' | 'down' | 'top' | { side: 'before' | 'after'; of: Identifier }

/**
 * @param all all records, in their order
 * @param shown those that match the search and filters, in the same order
 * @returns all records in the new order; `undefined` when the record stands there already, or is gone
 */
export function movedOrder(
  all: readonly RaRecord[],
  shown: readonly RaRecord[],
  id: Identifier,
  move: Move,
): RaRecord[] | undefined {
  const placeIn = (records: readonly RaRecord[], of: Identifier) =>
    records.findIndex((record) => String(record.id) === String(of))
  const record = all[placeIn(all, id)]
  const target = targetOf()
  if (!record || !target || target.of === id) return undefined
  const others = all.filter((one) => one !== record)
  const place = placeIn(others, target.of)
  if (place < 0) return undefined
  const order = others.toSpliced(place + (target.side === 'after' ? 1 : 0), 0, record)
  return order.every((one, at) => one === all[at]) ? undefined : order

  function targetOf(): Exclude<Move, string> | undefined {
    if (typeof move === 'object') return move
    const place = placeIn(shown, id)
    const neighbour = move === 'top' ? all[0] : shown[place + (move === 'up' ? -1 : 1)]
    return neighbour && { side: move === 'down' ? 'after' : 'before', of: neighbour.id }
  }
}

/**
 * The column by which a list is sorted, where many rows are equal in it and stand in the order by hand: one that sorts by
 * a state, such as what is wrong.
 */
export const equalColumn = (columns: readonly Column[], { field, order }: SortPayload): Column | undefined =>
  columns.find(({ source, sortState }) => sortState !== undefined && source === field && order === 'ASC')

/** Of the rows that are shown, those that are equal to a record in such an order: it can be moved among them. */
export function equalRows(shown: readonly RaRecord[], id: Identifier, column: Column | undefined): readonly RaRecord[] {
  const record = shown.find((one) => String(one.id) === String(id))
  const sort = column?.sort
  if (!record || !sort) return shown
  const keyOf = (row: RaRecord) => sort(row as Row, { related: () => [] })
  const key = keyOf(record)
  return shown.filter((row) => keyOf(row) === key)
}

/** Writes the numbers that an order needs. @param moved see `orderIndexes` */
export function planOrder(
  field: string,
  order: readonly RaRecord[],
  number: (records: readonly Ranked[], moved?: number) => ReadonlyMap<number, number>,
  moved?: Identifier,
): BulkPlan {
  const indexOf = (record: RaRecord) => Number(record[field] ?? 0)
  const ranked = order.map((record) => ({ id: Number(record.id), index: indexOf(record) }))
  const numbers = number(ranked, moved === undefined ? undefined : Number(moved))
  const changed = order.filter(({ id }) => numbers.has(Number(id)))
  return {
    updates: changed
      .filter((record) => !isReadOnly(record))
      .map((record) => ({
        record,
        before: { [field]: indexOf(record) },
        data: { [field]: numbers.get(Number(record.id)) },
      })),
    refusals: changed.filter(isReadOnly).map((record) => ({ record, reasons: [{ message: 'app.form.read_only' }] })),
    unchanged: order.filter(({ id }) => !numbers.has(Number(id))),
  }
}
