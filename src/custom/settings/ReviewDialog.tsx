import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../components/ActionDialog.tsx'
import { ComparisonTable } from '../../components/ComparisonTable.tsx'
import { useScreen } from '../../engine/define/screen.ts'
import { cells } from '../../engine/kinds/cells.tsx'
import { describeField } from '../../schemas/define/describe.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { Setting } from '../../schemas/settings/setting.ts'
import { siteSetting } from '../../schemas/settings/siteSetting.ts'
import { RealIpWarning } from './RealIpWarning.tsx'

interface ReviewDialogProps {
  setting: Setting
  before: Values
  changes: Values
  isSaving: boolean
  onSave: () => void
  onCancel: () => void
}

/** The changes, old beside new, and their consequences. */
export function ReviewDialog({ setting, before, changes, isSaving, onSave, onCancel }: ReviewDialogProps) {
  const { texts, translate } = useScreen()
  const [mayLockOut, setMayLockOut] = useState(false)
  const [consents, setConsents] = useState(false)
  const header = changes.web_real_ip_header as string | undefined
  return (
    <ActionDialog title={translate('app.site.review_title')} width={720} onClose={isSaving ? () => {} : onCancel}>
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
        <Button onClick={onCancel} disabled={isSaving}>
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
