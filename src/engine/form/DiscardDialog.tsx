import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useTranslate } from 'react-admin'

interface DiscardDialogProps {
  /** Whether they have been sent, and the server has not answered yet. */
  isSent?: boolean
  onDiscard: () => void
  onKeep: () => void
}

/** Asks whether to discard unsaved changes. */
export function DiscardDialog({ isSent = false, onDiscard, onKeep }: DiscardDialogProps) {
  const translate = useTranslate()
  const titleId = useId()
  return (
    <Dialog open role="alertdialog" aria-labelledby={titleId} onClose={onKeep} maxWidth="xs">
      <DialogTitle id={titleId}>{translate('app.form.unsaved_title')}</DialogTitle>
      <DialogContent>{translate(isSent ? 'app.toast.unanswered' : 'app.form.unsaved_text')}</DialogContent>
      <DialogActions>
        <Button onClick={onDiscard} color="error">
          {translate('app.form.discard')}
        </Button>
        <Button onClick={onKeep} variant="contained" autoFocus>
          {translate('app.form.keep_editing')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
