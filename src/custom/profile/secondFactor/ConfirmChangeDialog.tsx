import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { useToast } from '../../../engine/parts/useToast.ts'

interface ConfirmChangeDialogProps {
  title: string
  /** The consequences. */
  text: string
  /** The text of the button. */
  action: string
  /** Called when it is confirmed. What it throws is shown, and the question stays. */
  change: () => Promise<void>
  onClose: () => void
}

/** Asks before something is changed that cannot be taken back. */
export function ConfirmChangeDialog({ title, text, action, change, onClose }: ConfirmChangeDialogProps) {
  const translate = useTranslate()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await change()
    } catch (failure) {
      toast.showError(failure)
      setBusy(false)
    }
  }
  return (
    <ActionDialog title={title} width={440} onClose={onClose}>
      <DialogContent>{text}</DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {translate('app.action.cancel')}
        </Button>
        <Button color="error" variant="contained" loading={isBusy} onClick={() => void confirm()}>
          {action}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
