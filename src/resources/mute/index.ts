import { column, defineResource } from '../../engine/define/defineResource.ts'
import { mute } from '../../schemas/mute.ts'
import MuteEnd from './MuteEnd.tsx'

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
