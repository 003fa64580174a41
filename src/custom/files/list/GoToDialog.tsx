import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { PathField } from '../../../components/inputs/PathField.tsx'
import { type RawPath, shownPath, typedPath } from '../transfer/remotePath.ts'

interface GoToDialogProps {
  /** The folder that is open. */
  path: RawPath | undefined
  onGo: (path: RawPath) => void
  onClose: () => void
}

/** Asks for a path. */
export function GoToDialog({ path, onGo, onClose }: GoToDialogProps) {
  const translate = useTranslate()
  const start = path === undefined ? '' : shownPath(path)
  const [typed, setTyped] = useState(start)
  return (
    <ActionDialog title={translate('app.files.go_to')} onClose={onClose} width={480}>
      <form
        style={{ display: 'contents' }}
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          // An unchanged text is the folder itself, even if its name is not valid UTF-8.
          onGo(typed === start && path !== undefined ? path : typedPath(typed, path))
        }}
      >
        <DialogContent>
          <PathField
            label={translate('app.files.path')}
            autoFocus
            value={typed}
            onChange={setTyped}
            onFocus={({ target }) => target.select()}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('app.files.go_to')}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}
