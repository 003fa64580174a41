import { type FieldDescription, isConcealed } from '../schemas/define/describe.ts'
import { type Language, type QueryPlan, type Related, type Row, sameParts, type TextValue } from './queryRows.ts'

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
