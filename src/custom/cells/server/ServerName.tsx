import { type ServerRow, useServerMetric, useServerRow } from '../../hooks/serverMetrics.ts'
import '../../theme/cells.css'

/** The name, and below it the machine's operating system. */
export function ServerName() {
  const record = useServerRow()
  if (!record) return null
  return (
    <span className="cell-stack cell-name">
      <span title={record.name}>{record.name}</span>
      <System record={record} />
    </span>
  )
}

function System({ record }: { record: ServerRow }) {
  const system = useServerMetric(record, ({ host }) => [host.platform, host.platform_version].filter(Boolean).join(' '))
  return system ? <small title={system}>{system}</small> : null
}
