import { useRecordContext, useTranslate } from 'react-admin'

/** A number of minutes with its unit. */
export function Minutes() {
  const record = useRecordContext()
  const translate = useTranslate()
  return record ? translate('app.duration.minutes', { count: record.duration }) : null
}
