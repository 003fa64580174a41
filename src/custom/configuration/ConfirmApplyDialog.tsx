import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useTranslate } from 'react-admin'
import type { RecordChange } from '../../domain/configuration/plan.ts'
import { ActionDialog } from '../../engine/parts/ActionDialog.tsx'
import { appliesWhole, type ConfigurationServer } from './configurationCalls.ts'

interface ConfirmApplyDialogProps {
  server: ConfigurationServer
  changes: readonly RecordChange[]
  onClose: () => void
  onConfirm: () => void
}

/** Asks before a plan is carried out, and says what happens when a change is refused. */
export function ConfirmApplyDialog({ server, changes, onClose, onConfirm }: ConfirmApplyDialogProps) {
  const translate = useTranslate()
  const { data: isWhole } = useQuery({ queryKey: ['configuration'], queryFn: () => appliesWhole(server) })
  const deleted = changes.filter(({ verb }) => verb === 'delete').length
  return (
    <ActionDialog
      title={translate('app.configuration.confirm', { smart_count: changes.length })}
      onClose={onClose}
      width={480}
    >
      <DialogContent>
        {deleted > 0 ? (
          <p style={{ marginTop: 0 }}>
            <strong>{translate('app.configuration.confirm_delete', { smart_count: deleted })}</strong>
          </p>
        ) : null}
        {translate(isWhole ? 'app.configuration.confirm_whole' : 'app.configuration.confirm_each')}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} autoFocus>
          {translate('app.action.cancel')}
        </Button>
        <Button variant="contained" color={deleted > 0 ? 'error' : 'primary'} onClick={onConfirm}>
          {translate('app.configuration.apply')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
