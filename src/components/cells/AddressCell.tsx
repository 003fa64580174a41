import Chip from '@mui/material/Chip'
import { useRecordContext, useTranslate } from 'react-admin'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { isSameAddress } from '../../schemas/formats/sameAddress.ts'

/** An IP address, marked when it is the one of the signed-in user. */
export function AddressCell() {
  const record = useRecordContext()
  const { identity } = useIdentity()
  const translate = useTranslate()
  if (!record) return null
  const isOwn = isSameAddress(record.ip, identity?.loginIp)
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
      <code>{record.ip}</code>
      {isOwn ? (
        <Chip size="small" variant="outlined" color="primary" label={translate('app.list.this_is_you')} />
      ) : null}
    </span>
  )
}
