import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import type { FailedUpload } from '../transfer/useTransfers.ts'

interface UploadFailuresProps {
  failed: readonly FailedUpload[]
  onRetry: () => void
  onClose: () => void
}

/** Which files did not get there, and why. */
export function UploadFailures({ failed, onRetry, onClose }: UploadFailuresProps) {
  const translate = useTranslate()
  return (
    <ActionDialog title={translate('app.files.failed_title', { smart_count: failed.length })} onClose={onClose}>
      <DialogContent>
        <ul style={{ margin: 0, paddingLeft: 20, overflowWrap: 'anywhere' }}>
          {failed.map(({ upload, message, isPartial }) => (
            <li key={upload.target}>
              {upload.name}
              <Typography variant="body2" color="error">
                {message}
                {isPartial ? ` ${translate('app.files.partial')}` : null}
              </Typography>
            </li>
          ))}
        </ul>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
        <Button onClick={onRetry} variant="contained">
          {translate('app.list.retry')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
