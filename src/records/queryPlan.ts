import { describeField, describeFields, type FieldDescription } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import {
  type Matches,
  needsSnapshot,
  type QueryPlan,
  type Related,
  type Row,
  type RowQuery,
  type Snapshot,
  type SortValue,
  type TextValue,
} from './queryRows.ts'
import { searchTextOf } from './searchText.ts'

/** What a screen passes to the data provider in `meta`: what its definition adds to the schema. */
export interface ListMeta {
  /** By column: what it sorts by, its text, and the entities that both look into. */
  columns?: Readonly<Record<string, { sortValue?: SortValue | false; text?: TextValue; related?: readonly string[] }>>
  /** Filters that no field answers by itself. */
  matches?: Readonly<Record<string, Matches>>
  /** Asked when a sort or a filter needs more than records. The same `key` gives the same snapshot. */
  snapshot?: (key: string) => Promise<Snapshot>
}

/** How rows are filtered, sorted and searched for one query: by their fields' kinds, and by what the screen adds. */
export async function planQuery(
  entity: Entity,
  rows: readonly Row[],
  { filter = {}, sort }: RowQuery,
  meta: ListMeta,
  relatedRows: (names: readonly string[]) => Promise<Related>,
  kinds: QueryPlan['kinds'],
): Promise<QueryPlan> {
  const fields = describeFields(entity)
  const { columns = {}, matches = {} } = meta
  const column = columns[sort?.field ?? '']
  const sortField = column?.sortValue ? undefined : describeField(entity, sort?.field ?? '')
  const to = sortField?.to
  const texts = Object.values(columns).filter(({ text }) => text)
  const searched = filter.q
    ? [...fields.flatMap((field) => field.to ?? []), ...texts.flatMap((text) => text.related ?? [])]
    : []
  const sortedWith = [...(to ? [to] : []), ...(column?.related ?? [])]
  const related = await relatedRows([...searched, ...sortedWith])
  const ownFilters = Object.keys(filter).filter((key) => key in matches)
  const isLive = needsSnapshot(column?.sortValue) || ownFilters.some((key) => needsSnapshot(matches[key]))
  const snapshot = isLive ? await meta.snapshot?.(JSON.stringify([sort, filter])) : undefined
  const names = to === undefined ? undefined : new Map(related(to).map((row) => [String(row.id), row.name]))
  const { sortValue } = column ?? {}
  return {
    fields,
    kinds,
    sortedBy: [sort?.field, sort?.order, sortValue, snapshot, ...sortedWith.map(related)],
    searchText: filter.q
      ? searchTextOf(rows, { fields, kinds, related, texts: texts.flatMap(({ text }) => text ?? []) })
      : undefined,
    matches: Object.fromEntries(
      ownFilters.map((key) => [key, (row: Row, value: string) => matches[key]?.(row, value, snapshot) ?? true]),
    ),
    sortKey: sortValue ? (row) => sortValue(row, related, snapshot) : names && sortField && byNames(names, sortField),
  }

  /** A column of references sorts by the names that it shows. */
  function byNames(names: ReadonlyMap<string, unknown>, { name, kind }: FieldDescription) {
    return (row: Row) => kinds[kind].ids?.(row[name]).map((id) => names.get(id) ?? `#${id}`)
  }
}
