import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import type { RaRecord } from 'react-admin'
import { useLosesSecrets, useScreen } from '../define/screen.ts'
import { DifferenceTable } from '../history/DifferenceTable.tsx'
import type { Version } from '../history/versionAt.ts'
import { MomentCell } from '../kinds/moment/cell.tsx'
import { ConflictDialog } from './ConflictDialog.tsx'
import { valuesOf } from './formValues.ts'
import { useSave } from './useSave.ts'

interface RestoreDialogProps {
  /** The record as it was opened. */
  record: RaRecord
  /** The time of the version; RFC 3339. */
  at: string
  version: Version
  onRestored: () => void
  onCancel: () => void
}

/**
 * Shows what a restored version changes, and saves it by the rules of a form: what somebody else has changed since the
 * record was opened stays, or is asked about.
 */
export function RestoreDialog({ record, at, version, onRestored, onCancel }: RestoreDialogProps) {
  const { entity, texts, translate } = useScreen()
  const losesSecrets = useLosesSecrets()
  const titleId = useId()
  const { save, isSaving, conflict, decide, dismiss } = useSave(record, onRestored)
  const now = valuesOf(entity, record)
  const fields = Object.entries(version.values).map(([name, to]) => ({ name, from: now[name], to }))
  return (
    <Dialog open aria-labelledby={titleId} onClose={onCancel} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{translate('app.changes.restore_title')}</DialogTitle>
      <DialogContent>
        <MomentCell value={at} entity={entity.name} />
        <DifferenceTable
          entity={entity}
          fields={fields}
          headings={{ from: 'app.changes.now', to: 'app.changes.restored' }}
        />
        {version.lost.length > 0 ? (
          <Alert severity="warning" sx={{ marginTop: 2 }}>
            {translate('app.changes.lost', { fields: version.lost.map((name) => texts.label(name)).join(', ') })}
          </Alert>
        ) : null}
        {losesSecrets(now, { ...now, ...version.values }) ? (
          <Alert severity="warning" sx={{ marginTop: 2 }}>
            {translate('app.form.bound_secret')}
          </Alert>
        ) : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel}>{translate('app.action.cancel')}</Button>
        <Button variant="contained" loading={isSaving} onClick={() => save({ ...version.values })}>
          {translate('app.changes.restore')}
        </Button>
      </DialogActions>
      {conflict ? <ConflictDialog conflict={conflict} onDecide={decide} onCancel={dismiss} /> : null}
    </Dialog>
  )
}
