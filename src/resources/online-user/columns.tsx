import { useRecordContext, useTranslate } from 'react-admin'
import { AddressCell } from '../../components/cells/AddressCell.tsx'
import { IsoTime } from '../../components/cells/IsoTime.tsx'
import { column } from '../../engine/define/defineResource.ts'
import type { Row } from '../../records/queryRows.ts'
import type { onlineUser } from '../../schemas/onlineUser.ts'
import { userNameIn, useUserName } from '../user/names.ts'

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

export const columns = [
  column('ip', { Cell: AddressCell }),
  column('user_id', {
    Cell: OnlineUserName,
    file: ({ user_id }: OnlineUser, context) =>
      user_id ? userNameIn(context, user_id) : context.language.translate('resources.online-user.values.guest'),
    needs: ['user'],
  }),
  column('connected_at', { Cell: ConnectedAt }),
]
