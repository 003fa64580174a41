import { useDataProvider, useTranslate } from 'react-admin'
import type { Row } from '../../../records/queryRows.ts'
import { everyRow } from '../../../records/wholeList.ts'
import { describeFields } from '../../../schemas/define/describe.ts'
import { useToast } from '../actions/useToast.ts'
import { useScreen } from '../define/screen.ts'
import { useMatchingRecords } from '../list/state/useMatchingRecords.ts'
import { useTableChoices } from '../list/state/useTableChoices.ts'
import { csvOf, jsonOf, saveFile } from './exportRows.ts'

/** Downloads the rows that match the filter, of all pages: CSV with the columns on screen, JSON with all fields. */
export function useExport() {
  const { entity, texts } = useScreen()
  const { columns } = useTableChoices()
  const matching = useMatchingRecords()
  const dataProvider = useDataProvider()
  const translate = useTranslate()
  const toast = useToast()

  const relatedRows = async () => {
    const named = [
      ...describeFields(entity).flatMap(({ to }) => to ?? []),
      ...columns.flatMap(({ related }) => related ?? []),
    ]
    const loaded = await Promise.all(
      [...new Set(named)].map(async (name) => {
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

  return (format: 'csv' | 'json') => {
    const write = async () => {
      const records = await matching()
      const name = `${entity.name}.${format}`
      if (format === 'json') return saveFile(jsonOf(entity, records), name, 'application/json')
      const csv = csvOf(entity, records, {
        columns,
        headings: columns.map(texts.heading),
        related: await relatedRows(),
        choiceText: (field, choice) => translate(`resources.${entity.name}.choices.${field.name}.${choice}`),
      })
      saveFile(csv, name, 'text/csv;charset=utf-8')
    }
    write().catch(toast.showError)
  }
}
