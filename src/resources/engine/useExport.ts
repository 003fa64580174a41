import { useDataProvider, useTranslate } from 'react-admin'
import type { Row } from '../../collectionQuery.ts'
import { describeFields } from '../../schemas/describe.ts'
import { csvOf, jsonOf, save } from './exportRows.ts'
import { useScreen } from './screen.ts'
import { useMatchingRecords } from './useMatchingRecords.ts'
import { useReport } from './useReport.ts'
import { useTableChoices } from './useTableChoices.ts'
import { everyRow } from './wholeList.ts'

/** Saves what the list's filter lets through, all pages of it, as a file: CSV as shown, JSON as it is. */
export function useExport() {
  const { entity, texts } = useScreen()
  const { columns } = useTableChoices()
  const matching = useMatchingRecords()
  const dataProvider = useDataProvider()
  const translate = useTranslate()
  const report = useReport()

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
      if (format === 'json') return save(jsonOf(entity, records), name, 'application/json')
      const csv = csvOf(entity, records, {
        columns,
        headings: columns.map(texts.heading),
        related: await relatedRows(),
        choiceText: (field, choice) => translate(`resources.${entity.name}.choices.${field.name}.${choice}`),
      })
      save(csv, name, 'text/csv;charset=utf-8')
    }
    write().catch(report.failure)
  }
}
