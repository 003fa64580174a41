import { useRecordContext, useTranslate } from 'react-admin'
import { IsoTime } from './IsoTime.tsx'

/** When it was done; a line that cannot be read has no time. */
export function AuditTime() {
  const at = Date.parse(String(useRecordContext()?.at ?? ''))
  return Number.isNaN(at) ? null : <IsoTime at={at} />
}

/** Who did it, by the name of that day: the user may be gone. */
export function AuditUser() {
  const record = useRecordContext()
  return record?.user_id === undefined ? null : (
    <>
      {record.username} #{record.user_id}
    </>
  )
}

/** What was done, by the name that the log file has; half a line is shown as it is. */
export function AuditAction() {
  const record = useRecordContext()
  const translate = useTranslate()
  if (record?.unreadable === undefined) return <code>{record?.action}</code>
  return <>{translate('resources.audit.values.unreadable', { text: record.unreadable })}</>
}

/** Where from, as servers count addresses. */
export const AuditAddress = () => <code>{useRecordContext()?.address}</code>

/** ServerMetrics and outcomes, as `bytes: 1048576, outcome: cancelled`. */
export function AuditDetail() {
  const detail = useRecordContext()?.detail as Readonly<Record<string, unknown>> | undefined
  const words = Object.entries(detail ?? {}).map(([name, value]) => `${name}: ${value}`)
  return <>{words.join(', ')}</>
}
