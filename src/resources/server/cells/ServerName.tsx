import { useTranslate } from 'react-admin'
import {
  type ServerRow,
  useDuplicateAddresses,
  useServerMetric,
  useServerRow,
} from '../../../components/serverMetrics.ts'
import '../../../components/theme/cells.css'

/** The name, and below it the machine's operating system, or that several machines report as this server. */
export function ServerName() {
  const record = useServerRow()
  if (!record) return null
  return (
    <span className="cell-stack cell-name">
      <span title={record.name}>{record.name}</span>
      <SystemOrWarning record={record} />
    </span>
  )
}

function SystemOrWarning({ record }: { record: ServerRow }) {
  const addresses = useDuplicateAddresses(record)
  return addresses ? <SharedUuid addresses={addresses} /> : <System record={record} />
}

function SharedUuid({ addresses }: { addresses: string }) {
  const translate = useTranslate()
  return (
    <small className="cell-warning" title={translate('resources.server.values.shared_uuid_help')}>
      {translate('resources.server.values.shared_uuid', { addresses })}
    </small>
  )
}

function System({ record }: { record: ServerRow }) {
  const system = useServerMetric(record, ({ host }) => [host.platform, host.platform_version].filter(Boolean).join(' '))
  return system ? <small title={system}>{system}</small> : null
}
