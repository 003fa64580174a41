import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { ComparisonTable } from '../../components/ComparisonTable.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { cells } from '../../engine/kinds/cells.tsx'
import { ActionDialog } from '../../engine/parts/ActionDialog.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { describeField } from '../../schemas/define/describe.ts'
import type { Values } from '../../schemas/define/values.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import type { Setting } from '../../schemas/settings/setting.ts'
import { siteSetting, usePeerAddress } from '../../schemas/settings/siteSetting.ts'

interface ReviewDialogProps {
  setting: Setting
  before: Values
  changes: Values
  isSaving: boolean
  /** Whether it has to stay until there is an answer. */
  isHeld: boolean
  onSave: () => void
  onCancel: () => void
}

/** The changes, old beside new, and their consequences. */
export function ReviewDialog({ setting, before, changes, isSaving, isHeld, onSave, onCancel }: ReviewDialogProps) {
  const { texts, translate } = useScreen()
  const [mayLockOut, setMayLockOut] = useState(false)
  const [consents, setConsents] = useState(false)
  const header = changes.web_real_ip_header as string | undefined
  return (
    <ActionDialog title={translate('app.site.review_title')} width={720} onClose={isHeld ? () => {} : onCancel}>
      <DialogContent dividers>
        <Table>
          <thead>
            <tr>
              <th scope="col">{translate('app.site.setting')}</th>
              <th scope="col">{translate('app.site.now')}</th>
              <th scope="col">{translate('app.site.new')}</th>
            </tr>
          </thead>
          <tbody>
            {Object.keys(changes).map((key) => (
              <tr key={key}>
                <th scope="row">{texts.label(key)}</th>
                <td>
                  <SettingValue name={key} value={before[key]} />
                </td>
                <td>
                  <SettingValue name={key} value={changes[key]} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
        {header === undefined ? null : (
          <RealIpWarning
            setting={setting}
            header={header}
            before={String(before.web_real_ip_header ?? '')}
            consents={consents}
            onConsent={setConsents}
            onLockoutRisk={setMayLockOut}
          />
        )}
        {'custom_code_dashboard' in changes ? (
          <CustomCodeAlert code={String(changes.custom_code_dashboard ?? '')} />
        ) : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel} disabled={isHeld}>
          {translate('app.form.keep_editing')}
        </Button>
        <Button variant="contained" loading={isSaving} disabled={mayLockOut && !consents} onClick={onSave}>
          {translate('app.site.save', { smart_count: Object.keys(changes).length })}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

/** What custom code in the console means, and how to recover from code that breaks it. */
function CustomCodeAlert({ code }: { code: string }) {
  const translate = useTranslate()
  return (
    <Alert severity={code.trim() === '' ? 'info' : 'warning'} sx={{ marginTop: 2 }}>
      {translate(code.trim() === '' ? 'app.site.code_gone' : 'app.site.code_warning')}
    </Alert>
  )
}

/** A readable value; code is shown unchanged. */
function SettingValue({ name, value }: { name: string; value: unknown }) {
  const field = describeField(siteSetting, name)
  if (value === '' || value === undefined || value === null || value === 0) return '–'
  if (field?.kind === 'multiline') return <pre>{String(value)}</pre>
  const { Cell } = cells[field?.kind ?? 'text']
  return <Cell value={value} entity={siteSetting.name} field={field} />
}

const Table = styled(ComparisonTable)(({ theme }) => ({
  tableLayout: 'fixed',
  '& tbody tr': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& pre': { margin: 0, maxHeight: 160, overflow: 'auto', whiteSpace: 'pre-wrap', fontSize: 12 },
}))

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
function RealIpWarning({ setting, header, before, consents, onConsent, onLockoutRisk }: RealIpWarningProps) {
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
