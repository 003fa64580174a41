import { describeField, describeFields, type FieldDescription, isConcealed } from '../schemas/define/describe.ts'
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
  type SortState,
  type SortValue,
  sameParts,
  searchTerms,
  sortsByLive,
  type TextValue,
} from './queryRows.ts'

/** A filter that no field answers by itself. */
interface OwnFilter {
  matches: Matches
  needs?: Needs
  /** The words of its choices, as text keys by choice: a search for such a word finds the rows that match. */
  words?: Readonly<Record<string, string>>
}

/** What a screen passes to the data provider in `meta`: what its definition adds to the schema. */
export interface ListMeta {
  /** By column: what it sorts by, its text, and what both need. */
  columns?: Readonly<
    Record<string, { sort?: SortValue | false; sortState?: SortState; text?: TextValue; needs?: Needs }>
  >
  /** The whole number by which people order the records by hand. */
  order?: string
  filters?: Readonly<Record<string, OwnFilter>>
  /** Asked when a sort or a filter needs more than records. The same `key` gives the same snapshot. */
  snapshot?: (key: string) => Promise<Snapshot>
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
  const { filter = {}, sort } = query
  const fields = describeFields(entity)
  const { columns = {}, filters = {}, language = withoutTexts } = meta
  const column = columns[sort?.field ?? ''] ?? {}
  const sortValue = column.sort || undefined
  const sortField = sortValue ? undefined : describeField(entity, sort?.field ?? '')
  const to = sortField?.to
  const texts = Object.values(columns).filter(({ text }) => text)
  // Servers that have no such field have no list of what it refers to, either.
  const isThere = ({ name, announced }: FieldDescription) => !announced || rows.some((row) => row[name])
  const named = fields.flatMap((field) => (field.to && isThere(field) ? field.to : []))
  const searched = filter.q ? [...named, ...texts.flatMap(neededEntities)] : []
  const sortedWith = [...(to ? [to] : []), ...neededEntities(column)]
  const ownFilters = Object.keys(filter).flatMap((source) => {
    const own = filters[source]
    return own ? [{ source, ...own }] : []
  })
  const states = filter.q ? statesByTerm(searchTerms(filter.q), filters, language) : new Map()
  const used = [...ownFilters, ...[...states.values()].flat()]
  const related = await relatedRows([...searched, ...sortedWith, ...used.flatMap(neededEntities)])
  const isLive = sortsByLive(column) || used.some(needsLive)
  const live = isLive ? await meta.snapshot?.(JSON.stringify([sort, filter])) : undefined
  const context = { related, live }
  const names = to === undefined ? undefined : new Map(related(to).map((row) => [String(row.id), row.name]))
  return {
    fields,
    kinds,
    sortedBy: [sort?.field, sortValue, column.sortState?.version(), live, ...sortedWith.map(related)],
    order: meta.order,
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

/** What the search text of rows is made of: their fields, the names they refer to, and what columns add. */
interface TextSources {
  /** The name of the entity: its texts name the codes. */
  entity: string
  fields: readonly FieldDescription[]
  kinds: QueryPlan['kinds']
  texts: readonly TextValue[]
  /** The fields that the list shows. */
  shown: ReadonlySet<string>
  /** Entities whose rows `texts` look into. */
  textsFrom: readonly string[]
  related: Related
  language: Language
}

const searchTexts = new WeakMap<readonly Row[], { parts: readonly unknown[]; textByRow: Map<Row, string> }>()

/**
 * The text of a row that a search looks into: text fields, codes in words, names of other records, and the texts of
 * columns. It is built when it is first needed and kept as long as the rows, what they refer to and the language are the
 * same: with 10,000 rows a keystroke then costs a comparison, and not a new text.
 */
export function searchTextOf(rows: readonly Row[], sources: TextSources): (row: Row) => string {
  const { entity, fields, kinds, texts, textsFrom, shown, related, language } = sources
  const references = fields.filter(({ to }) => to)
  const from = [...references.map(({ to }) => to ?? ''), ...textsFrom]
  const parts = [language.locale, ...from.map(related)]
  let cached = searchTexts.get(rows)
  if (!cached || !sameParts(cached.parts, parts)) {
    cached = { parts, textByRow: new Map() }
    searchTexts.set(rows, cached)
  }
  const { textByRow } = cached
  const names = references.map(
    ({ to }) => new Map(related(to ?? '').map((row) => [String(row.id), String(row.name ?? '')])),
  )
  const plain = fields.filter((field) => kinds[field.kind].isSearched && !isConcealed(field))
  const coded = fields.flatMap(({ name, choices }) =>
    choices && shown.has(name) ? [{ name, wordOf: wordsOf(name, choices) }] : [],
  )
  const context = { related, language, rows }
  // The first letter of a search waits for this, so it appends to one string instead of joining a list.
  return (row) => {
    let text = textByRow.get(row)
    if (text !== undefined) return text
    text = `#${row.id}`
    for (const { name } of plain) {
      const value = row[name]
      if (value) text += `\n${value}`
    }
    for (const { name, wordOf } of coded) text += `\n${wordOf.get(String(row[name] ?? 0)) ?? row[name]}`
    references.forEach(({ name, kind }, index) => {
      if (row[name]) for (const id of kinds[kind].ids?.(row[name]) ?? []) text += `\n${names[index]?.get(id) ?? ''}`
    })
    for (const textOf of texts) text += `\n${textOf(row, context)}`
    text = text.toLowerCase()
    textByRow.set(row, text)
    return text
  }

  function wordsOf(field: string, choices: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
    const keyOf = (name: string) => `resources.${entity}.choices.${field}.${name}`
    return new Map(Object.entries(choices).map(([code, name]) => [code, language.translate(keyOf(name))]))
  }
}
