import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'

/** A box to paste into, where the page may not read the clipboard by itself. */
export function PasteInputDialog({ onPaste, onClose }: { onPaste: (text: string) => void; onClose: () => void }) {
  const translate = useTranslate()
  const [text, setText] = useState('')
  const label = translate('app.terminal.paste.box')
  return (
    <ActionDialog title={label} width={480} onClose={onClose}>
      <DialogContent>
        <OutlinedInput
          autoFocus
          multiline
          fullWidth
          minRows={4}
          maxRows={12}
          value={text}
          onChange={({ target }) => setText(target.value)}
          slotProps={{ input: { 'aria-label': label, spellCheck: false } }}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
        <Button variant="contained" disabled={text === ''} onClick={() => onPaste(text)}>
          {translate('app.terminal.paste.button')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
