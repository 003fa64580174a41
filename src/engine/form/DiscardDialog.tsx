import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useEffect, useId } from 'react'
import { useBlocker, useEvent, useTranslate } from 'react-admin'

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

interface UnsavedChangesGuardProps {
  isDirty: () => boolean
  /** Whether the changes have been sent, and the server has not answered yet. */
  isSent?: boolean
}

/**
 * Asks before unsaved changes are discarded by closing, the back button or a link. Before a reload the browser asks in
 * its own words.
 */
export function UnsavedChangesGuard({ isDirty, isSent }: UnsavedChangesGuardProps) {
  const mustAsk = useEvent(isDirty)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && mustAsk(),
  )
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (mustAsk()) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [mustAsk])
  return blocker.state === 'blocked' ? (
    <DiscardDialog isSent={isSent} onDiscard={blocker.proceed} onKeep={blocker.reset} />
  ) : null
}
