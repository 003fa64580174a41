import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useTranslate } from 'react-admin'
import type { FileChangedAnswer, FileChangedQuestion } from './useTextFile.ts'

interface FileChangedDialogProps extends FileChangedQuestion {
  name: string
  onAnswer: (answer: FileChangedAnswer) => void
}

/** Asks what to do about a file that is no longer as it was opened. */
export function FileChangedDialog({ name, canReload, message, onAnswer }: FileChangedDialogProps) {
  const translate = useTranslate()
  const titleId = useId()
  const keep = () => onAnswer('keep_editing')
  return (
    <Dialog open role="alertdialog" aria-labelledby={titleId} maxWidth="sm" fullWidth onClose={keep}>
      <DialogTitle id={titleId}>{translate('app.files.changed_title', { name })}</DialogTitle>
      <DialogContent>
        <Typography>{translate('app.files.changed_text')}</Typography>
        {message ? (
          <Typography color="error" sx={{ overflowWrap: 'anywhere' }}>
            {message}
          </Typography>
        ) : null}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button onClick={() => onAnswer('overwrite')} color="error">
          {translate('app.files.overwrite_theirs')}
        </Button>
        {canReload ? <Button onClick={() => onAnswer('reload')}>{translate('app.files.reload_theirs')}</Button> : null}
        <Button onClick={keep} variant="contained" autoFocus>
          {translate('app.form.keep_editing')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
