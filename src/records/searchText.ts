import { type FieldDescription, isConcealed } from '../schemas/define/describe.ts'
import { type QueryPlan, type Related, type Row, sameParts, type TextValue } from './queryRows.ts'

/** What the search text of rows is made of: their text fields, the names they refer to, and what columns add. */
interface TextSources {
  fields: readonly FieldDescription[]
  kinds: QueryPlan['kinds']
  texts: readonly TextValue[]
  related: Related
}

const searchTexts = new WeakMap<readonly Row[], { parts: readonly unknown[]; textByRow: Map<Row, string> }>()

/**
 * The text of a row that a search looks into. It is built when it is first needed and kept as long as the rows and what
 * they refer to are the same: with 10,000 rows a keystroke then costs a comparison, and not a new text.
 */
export function searchTextOf(
  rows: readonly Row[],
  { fields, kinds, texts, related }: TextSources,
): (row: Row) => string {
  const references = fields.filter(({ to }) => to)
  const parts = references.map(({ to }) => related(to ?? ''))
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
  // The first letter of a search waits for this, so it appends to one string instead of joining a list.
  return (row) => {
    let text = textByRow.get(row)
    if (text !== undefined) return text
    text = `#${row.id}`
    for (const { name } of plain) {
      const value = row[name]
      if (value) text += `\n${value}`
    }
    references.forEach(({ name, kind }, index) => {
      if (row[name]) for (const id of kinds[kind].ids?.(row[name]) ?? []) text += `\n${names[index]?.get(id) ?? ''}`
    })
    for (const textOf of texts) text += `\n${textOf(row, related)}`
    text = text.toLowerCase()
    textByRow.set(row, text)
    return text
  }
}
