import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'
import { useTranslate } from 'react-admin'

interface QuestionDialogProps {
  title: string
  /** The text of the button that confirms: it repeats the verb of the title. */
  button: string
  /** The other button. Default: 'Cancel'. */
  no?: string
  onConfirm: () => void
  onCancel: () => void
  children?: ReactNode
}

/** A question with two answers; the careful one has the focus. */
export function QuestionDialog({ title, button, no, onConfirm, onCancel, children }: QuestionDialogProps) {
  const translate = useTranslate()
  const titleId = useId()
  return (
    <Dialog open role="alertdialog" aria-labelledby={titleId} onClose={onCancel} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>{children}</DialogContent>
      <DialogActions>
        <Button onClick={onCancel} autoFocus>
          {no ?? translate('app.action.cancel')}
        </Button>
        <Button onClick={onConfirm} variant="contained">
          {button}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
