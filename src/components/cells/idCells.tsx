import { useRecordContext, useResourceContext, useTranslate } from 'react-admin'
import type { Row } from '../../records/queryRows.ts'
import type { service } from '../../schemas/service.ts'
import { useServerRow } from '../serverMetrics.ts'
import '../theme/cells.css'

/** A server's id, with its display index in brackets if one is set. */
export function ServerId() {
  const record = useServerRow()
  return record ? <IndexedId id={record.id} index={record.display_index} /> : null
}

/** A service's id, with its display index in brackets if one is set and sent. */
export function ServiceId() {
  const record = useRecordContext<Row<typeof service>>()
  return record ? <IndexedId id={record.id} index={record.display_index} /> : null
}

function IndexedId({ id, index }: { id: number | string; index: number | undefined }) {
  const translate = useTranslate()
  const label = `resources.${useResourceContext()}.fields.display_index`
  return (
    <span className="cell-id">
      {id}
      {index ? <span title={`${translate(label)}: ${index}`}> ({index})</span> : null}
    </span>
  )
}
