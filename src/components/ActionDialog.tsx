import Dialog from '@mui/material/Dialog'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useId } from 'react'

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
