import { useRecordContext, useTranslate } from 'react-admin'
import { column, defineResource } from '../../engine/define/defineResource.ts'
import { MomentCell } from '../../engine/kinds/cells.tsx'
import type { Row } from '../../records/queryRows.ts'
import { mute } from '../../schemas/mute.ts'

export default defineResource(mute, {
  columns: [
    'id',
    'name',
    'server_id',
    'rule_id',
    'service_id',
    column('ends_at', { Cell: MuteEnd }),
    'username',
    'created_at',
  ],
  card: { beside: [], metrics: ['ends_at', 'username'], below: ['server_id', 'rule_id', 'service_id'] },
  filters: ['name', 'server_id', 'rule_id', 'service_id'],
})

/** When a mute ends: at a time, or with the recovery. */
function MuteEnd() {
  const record = useRecordContext<Row<typeof mute>>()
  const translate = useTranslate()
  if (!record) return null
  return record.ends_at ? <MomentCell value={record.ends_at} entity="mute" /> : translate('app.mute.until_recovered')
}
