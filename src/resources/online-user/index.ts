import { action } from '../../engine/define/action.ts'
import { defineResource } from '../../engine/define/defineResource.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { isSameAddress } from '../../schemas/formats/sameAddress.ts'
import { onlineUser } from '../../schemas/onlineUser.ts'
import { columns } from './columns.tsx'

/** Each address once, from ids that consist of address and time. */
const addressesIn = (ids: readonly (number | string)[]) => [
  ...new Set(ids.map((id) => String(id).split('|', 1)[0] ?? '')),
]

const block = action('block', endpoints.blockOnlineUsers, {
  confirm: true,
  input: addressesIn,
  warn: (records, { loginIp }) =>
    records.some(({ ip }) => isSameAddress(String(ip), loginIp)) ? { ip: loginIp } : undefined,
})

export default defineResource(onlineUser, {
  columns,
  card: { beside: [], metrics: ['user_id', 'connected_at'], below: [] },
  rowActions: [block],
  bulkActions: [block],
})
