import { useDataProvider } from 'react-admin'
import { neededEntities, needsLive, type Related, type Row } from '../../records/queryRows.ts'
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
