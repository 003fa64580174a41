import Button from '@mui/material/Button'
import { type ComponentType, Suspense, useState } from 'react'

interface DialogButtonProps {
  label: string
  /** May be fetched when it is opened. */
  dialog: ComponentType<{ onClose: () => void }>
}

/** A button that opens a dialog. */
export function DialogButton({ label, dialog: Dialog }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="outlined" color="inherit" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? (
        <Suspense>
          <Dialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
