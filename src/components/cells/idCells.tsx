import { useRecordContext, useTranslate } from 'react-admin'
import type { Row } from '../../records/queryRows.ts'
import type { service } from '../../schemas/service.ts'
import { useServerRow } from '../serverMetrics.ts'
import '../theme/cells.css'

/** A server's id, with its display index in brackets if one is set. */
export function ServerId() {
  const record = useServerRow()
  const translate = useTranslate()
  if (!record) return null
  const label = translate('resources.server.fields.display_index')
  return <IndexedId id={record.id} index={record.display_index} label={label} />
}

/** A service's id, with its display index in brackets if one is set and sent. */
export function ServiceId() {
  const record = useRecordContext<Row<typeof service>>()
  const translate = useTranslate()
  if (!record) return null
  const label = translate('resources.service.fields.display_index')
  return <IndexedId id={record.id} index={record.display_index} label={label} />
}

interface IndexedIdProps {
  id: number | string
  index: number | undefined
  /** The name of the display index. */
  label: string
}

function IndexedId({ id, index, label }: IndexedIdProps) {
  return (
    <span className="cell-id">
      {id}
      {index ? <span title={`${label}: ${index}`}> ({index})</span> : null}
    </span>
  )
}
