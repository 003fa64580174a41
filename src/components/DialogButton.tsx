import Button from '@mui/material/Button'
import { type ComponentType, Suspense, useState } from 'react'
import { useTranslate } from 'react-admin'
import { lazyPart } from '../engine/parts/lazyPart.tsx'

type Dialog = ComponentType<{ onClose: () => void }>

interface DialogButtonProps {
  label: string
  /** May be fetched when it is opened. */
  dialog: Dialog
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

/** A button for the toolbar of a list, whose dialog is fetched when it is opened. */
export function toolbarButton(labelKey: string, load: () => Promise<{ default: Dialog }>): ComponentType {
  const Dialog = lazyPart(load)
  return function ToolbarButton() {
    const translate = useTranslate()
    return <DialogButton label={translate(labelKey)} dialog={Dialog} />
  }
}
