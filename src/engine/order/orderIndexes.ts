import type { Identifier, RaRecord, SortPayload } from 'react-admin'
import type { Row } from '../../records/queryRows.ts'
import { isReadOnly } from '../../schemas/define/access.ts'
import type { BulkPlan } from '../bulk/planBulkEdit.ts'
import type { Column } from '../define/defineResource.ts'

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

/** A record and the whole number that it is ordered by. */
export interface Ranked {
  id: number
  index: number
}

/** Between neighbours that get new numbers, so that others fit between them later. */
const gap = 10

/**
 * The fewest new numbers that bring records into an order.
 *
 * Lists have larger numbers first and, among equal ones, smaller ids (docs/contract/CONTRACT.md#54-servers). So from one
 * record to the next the number must fall by one where the id is smaller than the one before, and may stay otherwise.
 * Call the falls up to a record its depth: two records can both keep their numbers, and all between them find room, just
 * when number plus depth does not rise from the first to the second. The longest row of records for which it never rises
 * is what stays.
 *
 * @param records in the order that is wanted
 * @param moved the id of the record that somebody moved: where another would do as well, it is the one that changes
 * @returns the new numbers by id, of those that have to change
 */
export function orderIndexes(records: readonly Ranked[], moved?: number): Map<number, number> {
  const depths: number[] = []
  for (const [at, { id }] of records.entries()) {
    const before = records[at - 1]
    depths.push((depths[at - 1] ?? 0) + (before && before.id > id ? 1 : 0))
  }
  const numbers = records.map(({ index }, at) => index + (depths[at] as number))
  const longest = longestFalling(numbers)
  const others = longestFalling(
    numbers,
    records.findIndex(({ id }) => id === moved),
  )
  const inOrder = others.length === longest.length ? others : longest
  const changed = new Map<number, number>()
  const fill = (from: number | undefined, to: number | undefined) => {
    const above = from === undefined ? undefined : (records[from] as Ranked).index
    const below = to === undefined ? undefined : (records[to] as Ranked).index
    for (let at = (from ?? -1) + 1; at < (to ?? records.length); at += 1) {
      changed.set((records[at] as Ranked).id, numberAt(at))
    }

    function numberAt(at: number): number {
      if (from === undefined || above === undefined) return (below ?? 0) + gap * ((to ?? records.length) - at)
      if (to === undefined || below === undefined) return above - gap * (at - from)
      const fall = (end: number) => (depths[end] as number) - (depths[from] as number)
      const space = above - below - fall(to)
      return above - fall(at) - Math.floor((space * (at - from)) / (to - from))
    }
  }
  const borders = [undefined, ...inOrder, undefined]
  for (const [place, from] of borders.slice(0, -1).entries()) fill(from, borders[place + 1])
  return changed
}

/** New numbers for all records in this order, with room between them; those that have theirs already are left out. */
export function evenIndexes(records: readonly Ranked[]): Map<number, number> {
  const numbered = records.map(({ id, index }, at) => ({ id, index, even: gap * (records.length - at) }))
  return new Map(numbered.filter(({ index, even }) => index !== even).map(({ id, even }) => [id, even]))
}

/** The places of the longest part of a row of numbers that never rises. @param without a place that is not to be in it */
function longestFalling(numbers: readonly number[], without?: number): number[] {
  /** By length less one: the place where the part of this length ends that leaves most room below. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [at, number] of numbers.entries()) {
    if (at === without) continue
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] as number] as number) >= number) low = middle + 1
      else high = middle
    }
    previous[at] = ends[low - 1]
    ends[low] = at
  }
  const places: number[] = []
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) places.push(at)
  return places.reverse()
}
