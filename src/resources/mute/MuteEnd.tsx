import { useRecordContext, useTranslate } from 'react-admin'
import { MomentCell } from '../../engine/kinds/cells.tsx'
import type { Row } from '../../records/queryRows.ts'
import type { mute } from '../../schemas/mute.ts'

/** When a mute ends: at a time, or with the recovery. */
export default function MuteEnd() {
  const record = useRecordContext<Row<typeof mute>>()
  const translate = useTranslate()
  if (!record) return null
  return record.ends_at ? <MomentCell value={record.ends_at} entity="mute" /> : translate('app.mute.until_recovered')
}
