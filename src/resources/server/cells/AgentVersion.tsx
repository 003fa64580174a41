import { useTranslate } from 'react-admin'
import { type ServerRow, useServerMetric, useServerRow } from '../../../components/serverMetrics.ts'

/** The version of the agent on the server, or 'Unknown'. */
export function AgentVersion() {
  const record = useServerRow()
  return record ? <Version record={record} /> : null
}

function Version({ record }: { record: ServerRow }) {
  const translate = useTranslate()
  const version = useServerMetric(record, (metrics) => metrics.host.version)
  return <>{version || translate('resources.server.values.unknown')}</>
}
