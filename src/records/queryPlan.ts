import { describeField, describeFields, type FieldDescription } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import {
  type Language,
  type Matches,
  type Needs,
  neededEntities,
  needsLive,
  type QueryPlan,
  type Related,
  type Row,
  type RowQuery,
  type Snapshot,
  type SortValue,
  searchTerms,
  sortsByLive,
  type TextValue,
} from './queryRows.ts'
import { searchTextOf } from './searchText.ts'

/** A filter that no field answers by itself. */
export interface OwnFilter {
  matches: Matches
  needs?: Needs
  /** The words of its choices, as text keys by choice: a search for such a word finds the rows that match. */
  words?: Readonly<Record<string, string>>
}

/** What a screen passes to the data provider in `meta`: what its definition adds to the schema. */
export interface ListMeta {
  /** By column: what it sorts by, its text, and what both need. */
  columns?: Readonly<Record<string, { sort?: SortValue | false; text?: TextValue; needs?: Needs }>>
  filters?: Readonly<Record<string, OwnFilter>>
  /** Asked when a sort or a filter needs more than records. The same `key` gives the same snapshot. */
  snapshot?: (key: string) => Promise<Snapshot>
  /** The snapshot of a key, if it is there already; asks for none. */
  knownSnapshot?: (key: string) => Snapshot | undefined
  /** The language in which people search. Left out: texts that depend on it are not found. */
  language?: Language
}

/** Letters of a search before it finds states: a single letter would match some state nearly always. */
const shortestStateTerm = 2

/** How rows are filtered, sorted and searched for one query: by their fields' kinds, and by what the screen adds. */
export async function planQuery(
  entity: Entity,
  rows: readonly Row[],
  query: RowQuery,
  meta: ListMeta,
  relatedRows: (names: readonly string[]) => Promise<Related>,
  kinds: QueryPlan['kinds'],
): Promise<QueryPlan> {
  const { names, isLive, planWith } = draftPlan(entity, rows, query, meta, kinds)
  const related = await relatedRows(names)
  const snapshot = isLive ? await meta.snapshot?.(snapshotKey(query)) : undefined
  return planWith(related, snapshot)
}

/** The same at once, where nothing has to be asked for. @param relatedRows as far as they are in memory */
export function planQueryNow(
  entity: Entity,
  rows: readonly Row[],
  query: RowQuery,
  meta: ListMeta,
  relatedRows: (names: readonly string[]) => Related | undefined,
  kinds: QueryPlan['kinds'],
): QueryPlan | undefined {
  const { names, isLive, planWith } = draftPlan(entity, rows, query, meta, kinds)
  const snapshot = isLive ? meta.knownSnapshot?.(snapshotKey(query)) : undefined
  const isComplete = !isLive || !meta.snapshot || snapshot !== undefined
  const related = isComplete ? relatedRows(names) : undefined
  return related && planWith(related, snapshot)
}

const snapshotKey = ({ sort, filter = {} }: RowQuery) => JSON.stringify([sort, filter])

/** What a plan needs besides the rows, and the plan with that. */
function draftPlan(
  entity: Entity,
  rows: readonly Row[],
  { filter = {}, sort }: RowQuery,
  meta: ListMeta,
  kinds: QueryPlan['kinds'],
) {
  const fields = describeFields(entity)
  const { columns = {}, filters = {}, language = withoutTexts } = meta
  const column = columns[sort?.field ?? ''] ?? {}
  const sortValue = column.sort || undefined
  const sortField = sortValue ? undefined : describeField(entity, sort?.field ?? '')
  const to = sortField?.to
  const texts = Object.values(columns).filter(({ text }) => text)
  const searched = filter.q ? [...fields.flatMap((field) => field.to ?? []), ...texts.flatMap(neededEntities)] : []
  const sortedWith = [...(to ? [to] : []), ...neededEntities(column)]
  const ownFilters = Object.keys(filter).flatMap((source) => {
    const own = filters[source]
    return own ? [{ source, ...own }] : []
  })
  const states = filter.q ? statesByTerm(searchTerms(filter.q), filters, language) : new Map()
  const used = [...ownFilters, ...[...states.values()].flat()]
  return {
    names: [...searched, ...sortedWith, ...used.flatMap(neededEntities)],
    isLive: sortsByLive(column) || used.some(needsLive),
    planWith,
  }

  function planWith(related: Related, live: Snapshot): QueryPlan {
    const context = { related, live }
    const names = to === undefined ? undefined : new Map(related(to).map((row) => [String(row.id), row.name]))
    return {
      fields,
      kinds,
      sortedBy: [sort?.field, sortValue, live, ...sortedWith.map(related)],
      searchText: filter.q
        ? searchTextOf(rows, {
            entity: entity.name,
            fields,
            kinds,
            related,
            language,
            texts: texts.flatMap(({ text }) => text ?? []),
            textsFrom: texts.flatMap(neededEntities),
            shown: new Set(Object.keys(columns)),
          })
        : undefined,
      hasState: (row, term) =>
        states.get(term)?.some(({ matches, choice }: State) => matches(row, choice, context)) ?? false,
      matches: Object.fromEntries(
        ownFilters.map(({ source, matches }) => [source, (row: Row, value: string) => matches(row, value, context)]),
      ),
      sortKey: sortValue ? (row) => sortValue(row, context) : names && sortField && byNames(names, sortField),
    }
  }

  /** A column of references sorts by the names that it shows. */
  function byNames(names: ReadonlyMap<string, unknown>, { name, kind }: FieldDescription) {
    return (row: Row) => kinds[kind].ids?.(row[name]).map((id) => names.get(id) ?? `#${id}`)
  }
}

const withoutTexts: Language = { locale: 'en', translate: (key) => key }

/** A state that a word of the search names. */
interface State extends OwnFilter {
  choice: string
}

/** The states whose words begin with a term, by term. */
function statesByTerm(
  terms: readonly string[],
  filters: Readonly<Record<string, OwnFilter>>,
  { translate }: Language,
): Map<string, State[]> {
  const states = Object.values(filters).flatMap((filter) =>
    Object.entries(filter.words ?? {}).map(([choice, key]) => ({
      ...filter,
      choice,
      words: searchTerms(translate(key)),
    })),
  )
  return new Map(
    terms
      .filter((term) => term.length >= shortestStateTerm)
      .map((term) => [term, states.filter(({ words }) => words.some((word) => word.startsWith(term))) as never]),
  )
}
