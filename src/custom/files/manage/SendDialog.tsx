import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { type FormEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { PathField } from '../../../components/inputs/PathField.tsx'
import { LazyReferencePicker } from '../../../engine/kinds/reference/LazyReferencePicker.ts'
import type { Entry } from '../transfer/entries.ts'
import { type RawPath, shownPath, typedPath } from '../transfer/remotePath.ts'
import { TakenNames, useTakenNames } from './takenNames.tsx'
import type { Sending } from './useServerTransfers.ts'

interface SendDialogProps {
  serverId: number
  /** The folder that is open. */
  path: RawPath
  entries: readonly Entry[]
  onSend: (sending: Sending) => void
  onClose: () => void
}

/** Asks for the machine and the folder that files are copied to, and what happens to those that are there already. */
export function SendDialog({ serverId, path, entries, onSend, onClose }: SendDialogProps) {
  const translate = useTranslate()
  const [server, setServer] = useState<number>()
  const [typed, setTyped] = useState(shownPath(path))
  const { problem, taken, isAsking, look, forget } = useTakenNames(entries)
  const to = typed === shownPath(path) ? path : typedPath(typed, path)
  const send = (conflicts: Sending['conflicts']) => {
    if (server !== undefined) onSend({ to_server: server, to, conflicts })
  }
  const change = (apply: () => void) => {
    forget()
    apply()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // A folder that cannot be listed is not there yet, and is made; the machine will say it otherwise.
    if (server !== undefined && (await look(server, to, true))) send('refuse')
  }

  return (
    <ActionDialog
      title={translate('app.files.transfers.send_title', { smart_count: entries.length })}
      onClose={onClose}
      width={480}
    >
      <form style={{ display: 'contents' }} onSubmit={(event) => void submit(event)}>
        <DialogContent sx={{ display: 'grid', alignContent: 'start', gap: 2, '&&': { paddingTop: 1 } }}>
          <LazyReferencePicker
            to="server"
            required
            label={translate('resources.server.name', { smart_count: 1 })}
            chosen={server === undefined ? [] : [server]}
            onChoose={([id]) => change(() => setServer(id))}
          />
          <PathField
            label={translate('app.files.transfers.folder_there')}
            size="small"
            value={typed}
            onChange={(value) => change(() => setTyped(value))}
          />
          {server === serverId ? <Alert severity="info">{translate('app.files.transfers.same_server')}</Alert> : null}
          <TakenNames problem={problem} taken={taken} />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
          {taken ? (
            <>
              <Button onClick={() => send('skip')}>{translate('app.files.skip', { smart_count: 2 })}</Button>
              <Button onClick={() => send('overwrite')} variant="contained" color="error">
                {translate('app.files.transfers.overwrite')}
              </Button>
            </>
          ) : (
            <Button
              type="submit"
              variant="contained"
              loading={isAsking}
              disabled={server === undefined || server === serverId || !to.startsWith('/')}
            >
              {translate('app.files.manage.copy')}
            </Button>
          )}
        </DialogActions>
      </form>
    </ActionDialog>
  )
}
