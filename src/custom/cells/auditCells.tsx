import { useRecordContext, useTranslate } from 'react-admin'
import { IsoTime } from './IsoTime.tsx'

/** The time of the action; an unreadable log line has none. */
export function AuditTime() {
  const at = Date.parse(String(useRecordContext()?.at ?? ''))
  return Number.isNaN(at) ? null : <IsoTime at={at} />
}

/** The user, by the name at that time: the account may have been deleted since. */
export function AuditUser() {
  const record = useRecordContext()
  return record?.user_id === undefined ? null : (
    <>
      {record.username} #{record.user_id}
    </>
  )
}

/** The action's name as in the log file; an unreadable line is shown as it is. */
export function AuditAction() {
  const record = useRecordContext()
  const translate = useTranslate()
  if (record?.unreadable === undefined) return <code>{record?.action}</code>
  return <>{translate('resources.audit.values.unreadable', { text: record.unreadable })}</>
}

/** The client's address. */
export const AuditAddress = () => <code>{useRecordContext()?.address}</code>

/** Details, as `bytes: 1048576, outcome: cancelled`. */
export function AuditDetail() {
  const detail = useRecordContext()?.detail as Readonly<Record<string, unknown>> | undefined
  const parts = Object.entries(detail ?? {}).map(([name, value]) => `${name}: ${value}`)
  return <>{parts.join(', ')}</>
}
