import Alert from '@mui/material/Alert'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { endpoints } from '../../schemas/endpoints/index.ts'
import type { Setting } from '../../schemas/settings/setting.ts'
import { usePeerAddress } from '../../schemas/settings/siteSetting.ts'

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

/** How to recover from a wrong real-IP header: an environment variable, or a line of the configuration file. */
interface RealIpRecovery {
  kind: 'start' | 'file'
  line: string
}

/** @param before the current, working header */
export function realIpRecovery({ wheelhouse, config, tsdb_enabled }: Setting, before: string): RealIpRecovery {
  // Without a command: the server may be started by npm, as an installed program, or as a service.
  if (wheelhouse) return { kind: 'start', line: `REAL_IP_HEADER=${before || usePeerAddress}` }
  // Servers before v1.12 use the older name; if neither is set, `tsdb_enabled` shows the version.
  const isOld = 'real_ip_header' in config || (!('web_real_ip_header' in config) && tsdb_enabled === undefined)
  return { kind: 'file', line: `${isOld ? 'real_ip_header' : 'web_real_ip_header'}: ${JSON.stringify(before)}` }
}

/** The address of this browser that a server would see with a real-IP header. */
type SeenAddress =
  | { state: 'known'; address: string }
  | { state: 'missing'; reason: string }
  /** `none`: it would see no addresses; `unknown`: it cannot be asked. */
  | { state: 'none' | 'unknown' | 'asking' }

/** Asks the server, if it supports that; with '' as header the server sees no addresses. */
function useSeenAddress({ wheelhouse }: Setting, header: string): SeenAddress {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const canAsk = wheelhouse?.tells_address === true && header !== ''
  const { data, error } = useQuery({
    queryKey: ['address seen', header],
    queryFn: () => call(endpoints.addressSeen, { header }),
    enabled: canAsk,
    gcTime: 0,
  })
  if (header === '') return { state: 'none' }
  if (!canAsk || error) return { state: 'unknown' }
  if (!data) return { state: 'asking' }
  return data.address ? { state: 'known', address: data.address } : { state: 'missing', reason: data.problem ?? '' }
}
