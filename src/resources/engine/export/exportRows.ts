import type { RaRecord } from 'react-admin'
import { type Related, valueAt } from '../../../records/queryRows.ts'
import { byId } from '../../../records/wholeList.ts'
import { describeField, describeFields, type FieldDescription, isConcealed } from '../../../schemas/define/describe.ts'
import type { Entity } from '../../../schemas/define/entity.ts'
import type { Column } from '../define/defineResource.ts'
import { kindValues } from '../kinds/values.ts'

/** A spreadsheet would run a text that begins like a formula; a quote before it makes it plain text. */
const withoutFormula = (text: string) => (/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text)

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

interface CsvOptions {
  columns: readonly Column[]
  headings: readonly string[]
  related: Related
  /** The text of a coded value. */
  choiceText: (field: FieldDescription, name: string) => string
}

/** The rows as CSV (RFC 4180), without secrets. A byte order mark tells spreadsheets that it is UTF-8. */
export function csvOf(
  entity: Entity,
  records: readonly RaRecord[],
  { columns, headings, ...words }: CsvOptions,
): string {
  const lines = records.map((record) => columns.map((column) => textOf(entity, record, column, { ...words, records })))
  const table = [headings, ...lines].map((cells) => cells.map((cell) => quoted(withoutFormula(cell))).join(','))
  return `\uFEFF${table.join('\r\n')}\r\n`
}

function textOf(
  entity: Entity,
  record: RaRecord,
  { source, text }: Column,
  { related, choiceText, records }: Pick<CsvOptions, 'related' | 'choiceText'> & { records: readonly RaRecord[] },
): string {
  if (text) return text(record, related, records)
  const field = describeField(entity, source)
  const value = valueAt(record, source)
  if ((field && isConcealed(field)) || value === null || value === undefined) return ''
  const write = field && kindValues[field.kind].exportText
  if (write) {
    return write(value, {
      field,
      nameOf: (id) => String(byId(related(field.to ?? '')).get(id)?.name ?? ''),
      choiceText: (name) => choiceText(field, name),
    })
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The records as JSON, without secrets. */
export function jsonOf(entity: Entity, records: readonly RaRecord[]): string {
  const secrets = new Set(describeFields(entity).flatMap((field) => (isConcealed(field) ? [field.name] : [])))
  const withoutSecrets = records.map((record) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !secrets.has(key))),
  )
  return `${JSON.stringify(withoutSecrets, null, 2)}\n`
}

/** Downloads a text as a file. */
export function saveFile(text: string, fileName: string, type: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = fileName
  link.click()
  URL.revokeObjectURL(link.href)
}
