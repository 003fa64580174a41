import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { useToast } from '../../resources/engine/actions/useToast.ts'
import { ActionDialog } from '../components/ActionDialog.tsx'

interface RemoveFactorDialogProps {
  name: string
  remove: () => Promise<unknown>
  onRemoved: () => void
  onClose: () => void
}

/** Asks before a factor is removed. */
export function RemoveFactorDialog({ name, remove, onRemoved, onClose }: RemoveFactorDialogProps) {
  const translate = useTranslate()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await remove()
      toast.show({ key: 'app.second_factor.removed', args: { name } })
      onRemoved()
    } catch (failure) {
      toast.showError(failure)
      setBusy(false)
    }
  }
  return (
    <ActionDialog title={translate('app.second_factor.remove_named', { name })} width={440} onClose={onClose}>
      <DialogContent>{translate('app.second_factor.remove_what')}</DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {translate('app.action.cancel')}
        </Button>
        <Button color="error" variant="contained" loading={isBusy} onClick={() => void confirm()}>
          {translate('app.second_factor.remove')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
