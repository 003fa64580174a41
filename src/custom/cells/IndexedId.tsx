import { useTranslate } from 'react-admin'
import { useServerRow } from '../hooks/serverMetrics.ts'
import './cells.css'

/** The id, with the display index in brackets where somebody has set one. */
export function ServerId() {
  const record = useServerRow()
  const translate = useTranslate()
  if (!record) return null
  const label = translate('resources.server.fields.display_index')
  return <IndexedId id={record.id} index={record.display_index} label={label} />
}

interface IndexedIdProps {
  id: number | string
  index: number | undefined
  /** What the index is called. */
  label: string
}

export function IndexedId({ id, index, label }: IndexedIdProps) {
  return (
    <span className="cell-id">
      {id}
      {index ? <span title={`${label}: ${index}`}> ({index})</span> : null}
    </span>
  )
}
