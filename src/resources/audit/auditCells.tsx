import { useRecordContext } from 'react-admin'
import { IsoTime } from '../../components/cells/IsoTime.tsx'

/** The time of the action; an unreadable log line has none. */
export function AuditTime() {
  const at = Date.parse(String(useRecordContext()?.at ?? ''))
  return Number.isNaN(at) ? null : <IsoTime at={at} />
}

/** The user, by the name at that time: the account may have been deleted since. */
export function AuditUser() {
  const record = useRecordContext()
  return <>{record ? auditUserText(record) : null}</>
}

type Values = Readonly<Record<string, unknown>>

export const auditUserText = ({ user_id, username }: Values): string =>
  user_id === undefined ? '' : `${username} #${user_id}`

/** The client's address. */
export const AuditAddress = () => <code>{useRecordContext()?.address}</code>

/** Details, as `bytes: 1048576, outcome: cancelled`. */
export function AuditDetail() {
  return <>{auditDetailText(useRecordContext() ?? {})}</>
}

export const auditDetailText = ({ detail }: Values): string =>
  Object.entries((detail ?? {}) as Values)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
