import { describeField, describeFields, type FieldDescription } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import {
  type CollectionQuery,
  looksAtSnapshot,
  type Matches,
  type Reading,
  type Related,
  type Row,
  type Snapshot,
  type SortValue,
  type TextValue,
  wordsOf,
} from './queryRows.ts'

/** What a screen may pass along in `meta`: what its definition knows beyond the schema. */
export interface ListMeta {
  /** By column: what it sorts by, its words, and the entities that both look into. */
  columns?: Readonly<Record<string, { sortValue?: SortValue | false; text?: TextValue; related?: readonly string[] }>>
  /** Filters that no field answers by itself. */
  matches?: Readonly<Record<string, Matches>>
  /** Asked when a sort or a filter needs more than records. The same `key` means the same moment. */
  snapshot?: (key: string) => Promise<Snapshot>
}

/** How a screen's rows are read for one request: by their fields' kinds, and by what the screen adds. */
export async function readingOf(
  entity: Entity,
  rows: readonly Row[],
  { filter = {}, sort }: CollectionQuery,
  meta: ListMeta,
  relatedRows: (names: readonly string[]) => Promise<Related>,
  kinds: Reading['kinds'],
): Promise<Reading> {
  const fields = describeFields(entity)
  const { columns = {}, matches = {} } = meta
  const column = columns[sort?.field ?? '']
  const sorted = column?.sortValue ? undefined : describeField(entity, sort?.field ?? '')
  const to = sorted?.to
  const texts = Object.values(columns).filter(({ text }) => text)
  const needed = filter.q
    ? [...fields.flatMap((field) => field.to ?? []), ...texts.flatMap((text) => text.related ?? [])]
    : []
  const sortsBy = [...(to ? [to] : []), ...(column?.related ?? [])]
  const related = await relatedRows([...needed, ...sortsBy])
  const asked = Object.keys(filter).filter((key) => key in matches)
  const needsMoment = looksAtSnapshot(column?.sortValue) || asked.some((key) => looksAtSnapshot(matches[key]))
  const moment = needsMoment ? await meta.snapshot?.(JSON.stringify([sort, filter])) : undefined
  const names = to === undefined ? undefined : new Map(related(to).map((row) => [String(row.id), row.name]))
  const { sortValue } = column ?? {}
  return {
    fields,
    kinds,
    sortedBy: [sort?.field, sort?.order, sortValue, moment, ...sortsBy.map(related)],
    words: filter.q
      ? wordsOf(rows, { fields, kinds, related, texts: texts.flatMap(({ text }) => text ?? []) })
      : undefined,
    matches: Object.fromEntries(
      asked.map((key) => [key, (row: Row, wanted: string) => matches[key]?.(row, wanted, moment) ?? true]),
    ),
    sortKey: sortValue ? (row) => sortValue(row, related, moment) : names && sorted && byNames(names, sorted),
  }

  /** A column of references sorts by the names that it shows. */
  function byNames(names: ReadonlyMap<string, unknown>, { name, kind }: FieldDescription) {
    return (row: Row) => kinds[kind].ids?.(row[name]).map((id) => names.get(id) ?? `#${id}`)
  }
}
