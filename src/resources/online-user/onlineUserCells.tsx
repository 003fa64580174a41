import { useRecordContext, useTranslate } from 'react-admin'
import { IsoTime } from '../../components/cells/IsoTime.tsx'
import { useUserName } from '../user/useUserName.ts'

/** The connected user's name, or 'guest' for a visitor without an account. */
export function OnlineUserName() {
  const id = useRecordContext()?.user_id as number | undefined
  const name = useUserName(id)
  const translate = useTranslate()
  return <>{id ? name : translate('resources.online-user.values.guest')}</>
}

export function ConnectedAt() {
  const text = useRecordContext()?.connected_at as string | undefined
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? text : <IsoTime at={at} />
}
