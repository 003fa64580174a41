import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, useState } from 'react'
import { useTranslate } from 'react-admin'

interface RevokeTokenDialogProps {
  name: string
  onConfirm: () => Promise<void>
  onCancel: () => void
}

/** Asks for confirmation before a token is revoked. */
export function RevokeTokenDialog({ name, onConfirm, onCancel }: RevokeTokenDialogProps) {
  const translate = useTranslate()
  const titleId = useId()
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    await onConfirm()
    setBusy(false)
  }
  return (
    <Dialog open role="alertdialog" aria-labelledby={titleId} maxWidth="xs" onClose={onCancel}>
      <DialogTitle id={titleId}>{translate('app.tokens.revoke_title', { name })}</DialogTitle>
      <DialogContent>
        {translate('app.confirm.irreversible')} {translate('app.tokens.revoke_note')}
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel} autoFocus>
          {translate('app.action.cancel')}
        </Button>
        <Button color="error" variant="contained" loading={isBusy} onClick={confirm}>
          {translate('app.tokens.revoke')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
