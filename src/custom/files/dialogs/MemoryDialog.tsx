import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useLocale, useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { formatBytes } from '../../../components/format/format.ts'

interface MemoryDialogProps {
  name: string
  /** Bytes. */
  size: number
  onAnswer: (agrees: boolean) => void
}

/** Asks before a large file is gathered in memory, where the browser offers nothing better. */
export function MemoryDialog({ name, size, onAnswer }: MemoryDialogProps) {
  const translate = useTranslate()
  const locale = useLocale()
  return (
    <ActionDialog title={translate('app.files.memory_title', { name })} onClose={() => onAnswer(false)} width={480}>
      <DialogContent>{translate('app.files.memory_text', { size: formatBytes(size, locale) })}</DialogContent>
      <DialogActions>
        <Button onClick={() => onAnswer(false)} autoFocus>
          {translate('app.action.cancel')}
        </Button>
        <Button onClick={() => onAnswer(true)} variant="contained" color="warning">
          {translate('app.files.download')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
