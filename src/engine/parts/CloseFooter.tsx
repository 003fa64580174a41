import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import { useTranslate } from 'react-admin'

/** The footer of a dialog in which nothing is decided. */
export function CloseFooter({ onClose }: { onClose: () => void }) {
  const translate = useTranslate()
  return (
    <DialogActions>
      <Button onClick={onClose}>{translate('app.action.close')}</Button>
    </DialogActions>
  )
}
