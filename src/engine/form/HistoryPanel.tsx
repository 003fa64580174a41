import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, useState } from 'react'
import type { RaRecord } from 'react-admin'
import { useLosesSecrets, useScreen } from '../define/screen.ts'
import { ChangeHistory, type Version } from '../history/ChangeHistory.tsx'
import { DifferenceTable } from '../history/DifferenceTable.tsx'
import { MomentCell } from '../kinds/cells.tsx'
import { CloseFooter } from '../parts/ActionDialog.tsx'
import { ConflictDialog, useSave } from './useSave.tsx'
import { valuesOf } from './validate.ts'

interface HistoryPanelProps {
  /** The record as it was opened. */
  record: RaRecord
  onClose: () => void
}

/** The history of a record in its dialog; a version that is restored is shown and saved like a form. */
export default function HistoryPanel({ record, onClose }: HistoryPanelProps) {
  const { entity } = useScreen()
  const [restored, setRestored] = useState<{ version: Version; at: string }>()
  return (
    <>
      <DialogContent dividers>
        <ChangeHistory
          entity={entity}
          id={Number(record.id)}
          now={record}
          onRestore={(version, at) => setRestored({ version, at })}
        />
      </DialogContent>
      <CloseFooter onClose={onClose} />
      {restored ? (
        <RestoreDialog record={record} {...restored} onRestored={onClose} onCancel={() => setRestored(undefined)} />
      ) : null}
    </>
  )
}

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
function RestoreDialog({ record, at, version, onRestored, onCancel }: RestoreDialogProps) {
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
