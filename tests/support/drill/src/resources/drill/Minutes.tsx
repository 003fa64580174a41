import { useRecordContext, useTranslate } from 'react-admin'
import type { Row } from '../../../../../../src/records/queryRows.ts'
import type { drill } from '../../schemas/drill.ts'

/** A number of minutes with its unit. */
export function Minutes() {
  const record = useRecordContext<Row<typeof drill>>()
  const translate = useTranslate()
  return record ? translate('app.duration.minutes', { count: record.duration }) : null
}
