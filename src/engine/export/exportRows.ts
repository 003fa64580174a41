import { type RaRecord, useDataProvider } from 'react-admin'
import {
  byId,
  everyRow,
  neededEntities,
  needsLive,
  type Related,
  type Row,
  type TextContext,
  type TextValue,
  valueAt,
} from '../../records/queryRows.ts'
import { allows } from '../../schemas/define/access.ts'
import { describeField, describeFields, isConcealed } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { entityNamed } from '../../schemas/index.ts'
import type { Column } from '../define/defineResource.ts'
import { useScreen } from '../define/screen.ts'
import { kindValues } from '../kinds/values.ts'
import { useMatchingRecords, useTableChoices } from '../list/state/listView.tsx'
import { useToast } from '../parts/ActionDialog.tsx'
import { useIdentity } from '../parts/identity.tsx'

/** A spreadsheet would run a text that begins like a formula; a quote before it makes it plain text. */
const withoutFormula = (text: string) => (/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text)

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

interface CsvOptions {
  /** Those on screen. */
  columns: readonly Column[]
  headingOf: (column: Column) => string
  context: Omit<TextContext, 'rows'>
}

/**
 * The rows as CSV (RFC 4180): what the columns on screen show, without secrets. A byte order mark tells spreadsheets
 * that it is UTF-8.
 */
function csvOf(entity: Entity, records: readonly RaRecord[], { columns, headingOf, context }: CsvOptions): string {
  const { translate } = context.language
  const parts = columns.flatMap((column): { heading: string; text: TextValue }[] => {
    const { source, text, file = text ?? fieldText(entity, source) } = column
    if (typeof file === 'function') return [{ heading: headingOf(column), text: file }]
    return file.map(({ heading, unit, text }) => {
      const name = heading === undefined ? headingOf(column) : translate(heading)
      return { heading: unit === undefined ? name : `${name} (${unit})`, text }
    })
  })
  const all: TextContext = { ...context, rows: records }
  const lines = records.map((record) => parts.map(({ text }) => text(record, all)))
  return csvText([parts.map(({ heading }) => heading), ...lines])
}

/** Lines of cells as CSV (RFC 4180), with a byte order mark; no cell is a formula. */
export function csvText(table: readonly (readonly string[])[]): string {
  const csv = table.map((cells) => cells.map((cell) => quoted(withoutFormula(cell))).join(','))
  return `\uFEFF${csv.join('\r\n')}\r\n`
}

/** What the cell of a field shows, by the field's kind. */
function fieldText(entity: Entity, source: string): TextValue {
  const field = describeField(entity, source)
  if (field && isConcealed(field)) return () => ''
  const write = field && kindValues[field.kind].exportText
  if (!write) return (row) => asText(valueAt(row, source))
  return (row, { related, language: { translate } }) =>
    write(valueAt(row, source), {
      field,
      translate,
      recordText: (id) => {
        const record = byId(related(field.to ?? '')).get(id)
        const name = record?.[entityNamed(field.to ?? '')?.nameField ?? 'name'] ?? ''
        return record ? `${name} #${id}`.trim() : translate('app.list.dangling', { id })
      },
      choiceText: (name) => translate(`resources.${entity.name}.choices.${field.name}.${name}`),
    })
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The records as JSON, without secrets. */
function jsonOf(entity: Entity, records: readonly RaRecord[]): string {
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

/** Downloads the rows that match the filter, of all pages: CSV with the columns on screen, JSON with all fields. */
export function useExport() {
  const { entity, texts, language, takeSnapshot } = useScreen()
  const { columns } = useTableChoices()
  const matching = useMatchingRecords()
  const dataProvider = useDataProvider()
  const { identity } = useIdentity()
  const toast = useToast()

  /** The lists that texts look into; those that this person may not read stay empty. */
  const relatedRows = async (): Promise<Related> => {
    const named = [...describeFields(entity).flatMap(({ to }) => to ?? []), ...columns.flatMap(neededEntities)]
    const readable = [...new Set(named)].filter((name) =>
      allows(identity?.role, entityNamed(name)?.access.list ?? 'user'),
    )
    const loaded = await Promise.all(
      readable.map(async (name) => {
        const { data } = await dataProvider.getList<Row>(name, {
          pagination: everyRow,
          sort: { field: 'id', order: 'ASC' },
        })
        return [name, data] as const
      }),
    )
    const rows = new Map(loaded)
    return (name: string) => rows.get(name) ?? []
  }

  const write = async (format: 'csv' | 'json') => {
    const records = await matching()
    const name = `${entity.name}.${format}`
    if (format === 'json') return saveFile(jsonOf(entity, records), name, 'application/json')
    const related = await relatedRows()
    // A server without what a column shows has nothing to take a snapshot of.
    const live = columns.some(needsLive) ? await takeSnapshot?.() : undefined
    const context = { related, language, live }
    saveFile(csvOf(entity, records, { columns, headingOf: texts.heading, context }), name, 'text/csv;charset=utf-8')
  }

  return (format: 'csv' | 'json') => void write(format).catch(toast.showError)
}
