import { useRecordContext, useTranslate } from 'react-admin'
import { IndexedId } from './IndexedId.tsx'

/** The id, with the display index in brackets where the server sends one that somebody has set. */
export function ServiceId() {
  const record = useRecordContext()
  const translate = useTranslate()
  if (!record) return null
  const label = translate('resources.service.fields.display_index')
  return <IndexedId id={record.id} index={record.display_index} label={label} />
}
