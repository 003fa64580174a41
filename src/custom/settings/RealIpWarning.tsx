import Alert from '@mui/material/Alert'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { useEffect } from 'react'
import { useTranslate } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import type { Setting } from '../../schemas/settings/setting.ts'
import { usePeerAddress } from '../../schemas/settings/siteSetting.ts'
import { realIpRecovery } from './realIpRecovery.ts'
import { useSeenAddress } from './useSeenAddress.ts'

interface RealIpWarningProps {
  setting: Setting
  header: string
  /** The header before the change. */
  before: string
  consents: boolean
  onConsent: (consents: boolean) => void
  /** Called with whether the change may lock out this browser. */
  onLockoutRisk: (mayLockOut: boolean) => void
}

/** The effects of another real-IP header: the address that the server will see, who is signed out, and how to recover. */
export function RealIpWarning({ setting, header, before, consents, onConsent, onLockoutRisk }: RealIpWarningProps) {
  const translate = useTranslate()
  const { identity } = useIdentity()
  const seen = useSeenAddress(setting, header)
  const mayLockOut =
    seen.state === 'missing' || (seen.state === 'unknown' && header !== '' && header !== usePeerAddress)
  useEffect(() => onLockoutRisk(mayLockOut), [mayLockOut, onLockoutRisk])
  const keepsSession = seen.state === 'known' && identity?.loginIp === seen.address
  const recovery = realIpRecovery(setting, before)
  return (
    <Alert severity={seen.state === 'missing' ? 'error' : 'warning'} sx={{ marginTop: 2 }} role="status">
      <strong>{translate('app.site.real_ip.title')}</strong>
      <ul style={{ margin: '4px 0 0', paddingLeft: 20 }}>
        <li>
          {seen.state === 'known' && translate('app.site.real_ip.seen', { address: seen.address })}
          {seen.state === 'missing' && translate('app.site.real_ip.missing', { reason: seen.reason })}
          {seen.state === 'none' && translate('app.site.real_ip.none')}
          {seen.state === 'unknown' && translate('app.site.real_ip.unknown')}
          {seen.state === 'asking' && translate('app.site.real_ip.asking')}
        </li>
        <li>{translate(keepsSession ? 'app.site.real_ip.sessions_stay' : 'app.site.real_ip.sessions_end')}</li>
        <li>
          {translate(recovery.kind === 'start' ? 'app.site.real_ip.remedy_start' : 'app.site.real_ip.remedy_file')}{' '}
          <code>{recovery.line}</code>{' '}
          <CopyButton text={recovery.line} label={translate('app.site.real_ip.copy_remedy')} />
        </li>
      </ul>
      {mayLockOut ? (
        <FormControlLabel
          label={translate('app.site.real_ip.consent')}
          control={<Checkbox checked={consents} onChange={(_, checked) => onConsent(checked)} />}
          sx={{ display: 'flex', marginTop: 1 }}
        />
      ) : null}
    </Alert>
  )
}
