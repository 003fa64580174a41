import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { type RaRecord, useTranslate } from 'react-admin'
import { useScreen } from './screen.ts'

const namesShown = 5

interface ConfirmDialogProps {
  /** The question, already in words. */
  question: string
  /** The button's text: it repeats the verb. */
  label: string
  /** What follows, beyond that it cannot be undone. */
  note?: string
  records: readonly RaRecord[]
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before something that cannot be undone: names the records, says what follows. */
export function ConfirmDialog({ question, label, note, records, busy, onConfirm, onCancel }: ConfirmDialogProps) {
  const translate = useTranslate()
  const { texts } = useScreen()
  const titleId = useId()
  const textId = useId()
  const hidden = records.length - namesShown
  return (
    <Dialog
      open
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      maxWidth="xs"
      fullWidth
      onClose={busy ? undefined : onCancel}
    >
      <DialogTitle id={titleId}>{question}</DialogTitle>
      <DialogContent id={textId}>
        {records.length > 1 ? (
          <ul style={{ margin: '0 0 12px', paddingLeft: 20, overflowWrap: 'anywhere' }}>
            {records.slice(0, namesShown).map((record) => (
              <li key={record.id}>{texts.nameOf(record)}</li>
            ))}
            {hidden > 0 ? <li>{translate('app.list.more', { count: hidden })}</li> : null}
          </ul>
        ) : null}
        <Typography>{translate('app.confirm.irreversible')}</Typography>
        {note ? (
          <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1 }}>
            {note}
          </Typography>
        ) : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel} disabled={busy} autoFocus>
          {translate('app.action.cancel')}
        </Button>
        <Button onClick={onConfirm} loading={busy} color="error" variant="contained">
          {label}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
