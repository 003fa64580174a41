import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { PathField } from '../../../components/inputs/PathField.tsx'
import type { Entry } from '../transfer/entries.ts'
import { type RawPath, shownPath, typedPath } from '../transfer/remotePath.ts'
import { TakenNames, useTakenNames } from './takenNames.tsx'

interface MoveDialogProps {
  serverId: number
  /** The folder that is open. */
  path: RawPath
  entries: readonly Entry[]
  onMove: (to: RawPath, overwrite: boolean) => void
  onClose: () => void
}

/** Asks for the folder that files are moved to. */
export function MoveDialog({ serverId, path, entries, onMove, onClose }: MoveDialogProps) {
  const translate = useTranslate()
  const [typed, setTyped] = useState(shownPath(path))
  const { problem, taken, isAsking, look, forget } = useTakenNames(entries)
  const to = typed === shownPath(path) ? path : typedPath(typed, path)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (taken) onMove(to, true)
    else if (await look(serverId, to)) onMove(to, false)
  }
  return (
    <ActionDialog title={translate('app.files.manage.move')} onClose={onClose} width={480}>
      <form style={{ display: 'contents' }} onSubmit={(event) => void submit(event)}>
        <DialogContent sx={{ display: 'grid', alignContent: 'start', gap: 2 }}>
          <PathField
            label={translate('app.files.folder')}
            size="small"
            autoFocus
            value={typed}
            onFocus={({ target }) => target.select()}
            onChange={(value) => {
              forget()
              setTyped(value)
            }}
          />
          <TakenNames problem={problem} taken={taken} />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
          <Button
            type="submit"
            variant="contained"
            color={taken ? 'error' : 'primary'}
            loading={isAsking}
            disabled={to === path || !to.startsWith('/')}
          >
            {translate(taken ? 'app.files.transfers.overwrite' : 'app.files.manage.move_button')}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}
