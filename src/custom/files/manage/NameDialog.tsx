import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useId, useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'

interface NameDialogProps {
  title: string
  /** The text of the button. */
  button: string
  /** The name so far. */
  name: string
  /** Below the field. Default: what a name may not have. */
  help?: string
  /** Whether the name is a proposal for something that is not there yet. */
  isNew?: boolean
  /** Whether something in the folder has this name. */
  isTaken: (name: string) => boolean
  onName: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a file or a folder. */
export function NameDialog({ title, button, name, isTaken, help, isNew = false, onName, onClose }: NameDialogProps) {
  const translate = useTranslate()
  const id = useId()
  const [typed, setTyped] = useState(name)
  const isUnfit = typed === '' || typed === '.' || typed === '..' || typed.includes('/')
  const taken = (isNew || typed !== name) && isTaken(typed)
  const shownHelp = taken ? translate('app.files.manage.taken') : (help ?? translate('app.files.manage.name_help'))
  return (
    <ActionDialog title={title} onClose={onClose} width={480}>
      <form
        style={{ display: 'contents' }}
        onSubmit={(event) => {
          event.preventDefault()
          if (isUnfit || taken) return
          if (typed === name && !isNew) onClose()
          else onName(typed)
        }}
      >
        <DialogContent>
          <FormLabel htmlFor={id} sx={{ display: 'block', marginBottom: 0.5, fontSize: 13, fontWeight: 600 }}>
            {translate('app.files.manage.columns.name')}
          </FormLabel>
          <OutlinedInput
            id={id}
            fullWidth
            autoFocus
            value={typed}
            error={taken}
            onChange={(event) => setTyped(event.target.value)}
            // What stands before the ending is what one wants to change.
            onFocus={({ target }) => {
              const dot = name.lastIndexOf('.')
              target.setSelectionRange(0, dot > 0 ? dot : name.length)
            }}
            aria-describedby={`${id}-help`}
            slotProps={{ input: { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off' } }}
          />
          <p id={`${id}-help`} style={{ margin: '4px 0 0', fontSize: 13 }} role={taken ? 'alert' : undefined}>
            {shownHelp}
          </p>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={isUnfit || taken}>
            {button}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}
