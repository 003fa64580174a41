import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useEffect, useId } from 'react'
import { useBlocker, useEvent, useTranslate } from 'react-admin'

/** Asks whether to throw typed changes away: on a close, the back button, a link, and (in the browser's words) a reload. */
export function AskBeforeLeaving({ isDirty }: { isDirty: () => boolean }) {
  const translate = useTranslate()
  const titleId = useId()
  const asksNow = useEvent(isDirty) as () => boolean
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && asksNow(),
  )
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (asksNow()) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [asksNow])
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog open role="alertdialog" aria-labelledby={titleId} onClose={blocker.reset} maxWidth="xs">
      <DialogTitle id={titleId}>{translate('app.form.unsaved_title')}</DialogTitle>
      <DialogContent>{translate('app.form.unsaved_text')}</DialogContent>
      <DialogActions>
        <Button onClick={blocker.proceed} color="error">
          {translate('app.form.discard')}
        </Button>
        <Button onClick={blocker.reset} variant="contained" autoFocus>
          {translate('app.form.keep_editing')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
