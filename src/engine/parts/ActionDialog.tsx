import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useId } from 'react'
import { useTranslate } from 'react-admin'
import { RetryAlert } from './RetryAlert.tsx'

interface ActionDialogFrameProps {
  title: string
  onClose: () => void
  /** Pixels. */
  width?: number
  children: ReactNode
}

/** The frame of an action's dialog: title and size. On narrow screens it fills the screen. */
export function ActionDialog({ title, onClose, width = 640, children }: ActionDialogFrameProps) {
  const titleId = useId()
  const narrow = useMediaQuery('(max-width: 600px)', { noSsr: true })
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={titleId}
      fullScreen={narrow}
      fullWidth
      maxWidth={false}
      slotProps={{ paper: { sx: { maxWidth: narrow ? undefined : width } } }}
    >
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {children}
    </Dialog>
  )
}

/** The footer of a dialog in which nothing is decided. @param isHeld whether the dialog has to stay for now */
export function CloseFooter({ onClose, isHeld = false }: { onClose: () => void; isHeld?: boolean }) {
  const translate = useTranslate()
  return (
    <DialogActions>
      <Button onClick={onClose} disabled={isHeld}>
        {translate('app.action.close')}
      </Button>
    </DialogActions>
  )
}

interface PendingDataProps {
  /** `undefined` until something was fetched. Data from before an error stays on screen. */
  data: unknown
  error: Error | null
  onRetry: () => unknown
}

/** Pixels: room for a short list, so that what follows moves little when it comes. */
const minHeight = 110

/** Stands where data will be: a progress indicator, or the error and a button to try again. */
export function PendingData({ data, error, onRetry }: PendingDataProps) {
  const translate = useTranslate()
  if (data !== undefined) return null
  if (error) return <RetryAlert error={error} onRetry={onRetry} />
  return (
    <div style={{ minHeight }}>
      <CircularProgress size={24} aria-label={translate('app.list.loading')} />
    </div>
  )
}
