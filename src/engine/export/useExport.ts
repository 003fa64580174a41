import { useDataProvider } from 'react-admin'
import type { Related, Row } from '../../records/queryRows.ts'
import { everyRow } from '../../records/wholeList.ts'
import { allows } from '../../schemas/define/access.ts'
import { describeFields } from '../../schemas/define/describe.ts'
import { entityNamed } from '../../schemas/index.ts'
import { useScreen } from '../define/screen.ts'
import { useMatchingRecords } from '../list/state/useMatchingRecords.ts'
import { useTableChoices } from '../list/state/useTableChoices.ts'
import { useIdentity } from '../parts/identity.tsx'
import { useToast } from '../parts/useToast.ts'
import { csvOf, jsonOf, saveFile } from './exportRows.ts'

/** Downloads the rows that match the filter, of all pages: CSV with the columns on screen, JSON with all fields. */
export function useExport() {
  const { definition, entity, texts, language, takeSnapshot } = useScreen()
  const { columns } = useTableChoices()
  const matching = useMatchingRecords()
  const dataProvider = useDataProvider()
  const { identity } = useIdentity()
  const toast = useToast()

  /** The lists that texts look into; those that this person may not read stay empty. */
  const relatedRows = async (): Promise<Related> => {
    const named = [
      ...describeFields(entity).flatMap(({ to }) => to ?? []),
      ...columns.flatMap(({ related }) => related ?? []),
    ]
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
    const [related, file = {}] = await Promise.all([relatedRows(), definition.file?.()])
    // A server without what a column shows has nothing to take a snapshot of.
    const snapshot = columns.some(({ source }) => source in file) ? await takeSnapshot?.() : undefined
    const context = { related, language, snapshot }
    saveFile(
      csvOf(entity, records, { columns, headingOf: texts.heading, file, context }),
      name,
      'text/csv;charset=utf-8',
    )
  }

  return (format: 'csv' | 'json') => void write(format).catch(toast.showError)
}
