import { useRecordContext, useTranslate } from 'react-admin'
import { AddressCell } from '../../components/cells/AddressCell.tsx'
import { IsoTime } from '../../components/cells/IsoTime.tsx'
import { action } from '../../engine/define/action.ts'
import { column, defineResource } from '../../engine/define/defineResource.ts'
import type { Row } from '../../records/queryRows.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { isSameAddress } from '../../schemas/formats/sameAddress.ts'
import { onlineUser } from '../../schemas/onlineUser.ts'
import { userNameIn, useUserName } from '../user/names.ts'

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
  columns: [
    column('ip', { Cell: AddressCell }),
    column('user_id', {
      Cell: OnlineUserName,
      file: ({ user_id }: OnlineUser, context) =>
        user_id ? userNameIn(context, user_id) : context.language.translate('resources.online-user.values.guest'),
      needs: ['user'],
    }),
    column('connected_at', { Cell: ConnectedAt }),
  ],
  card: { beside: [], metrics: ['user_id', 'connected_at'], below: [] },
  rowActions: [block],
  bulkActions: [block],
})

type OnlineUser = Row<typeof onlineUser>

/** The connected user's name, or 'guest' for a visitor without an account. */
function OnlineUserName() {
  const id = useRecordContext<OnlineUser>()?.user_id
  const name = useUserName(id)
  const translate = useTranslate()
  return <>{id ? name : translate('resources.online-user.values.guest')}</>
}

function ConnectedAt() {
  const text = useRecordContext<OnlineUser>()?.connected_at
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? text : <IsoTime at={at} />
}
