import Dialog from '@mui/material/Dialog'
import type { PropsWithChildren } from 'react'

/** Shown instead of a dialog that could not be fetched. */
export default function FailureDialog({ children, onClose }: PropsWithChildren<{ onClose: () => void }>) {
  return (
    <Dialog open onClose={onClose}>
      {children}
    </Dialog>
  )
}
