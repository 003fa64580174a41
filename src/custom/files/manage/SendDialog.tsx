import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { type FormEvent, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { PathField } from '../../../components/inputs/PathField.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { LazyReferencePicker } from '../../../engine/kinds/reference/LazyReferencePicker.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import type { Entry } from '../transfer/entries.ts'
import { type RawPath, shownPath, typedPath } from '../transfer/remotePath.ts'
import { pathText, rawOfText } from './fileItems.ts'
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
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [server, setServer] = useState<number>()
  const [typed, setTyped] = useState(shownPath(path))
  const [problem, setProblem] = useState<string>()
  const [taken, setTaken] = useState<readonly string[]>()
  const [isAsking, setAsking] = useState(false)
  const to = typed === shownPath(path) ? path : typedPath(typed, path)
  const send = (conflicts: Sending['conflicts']) => {
    if (server !== undefined) onSend({ to_server: server, to, conflicts })
  }
  const change = (apply: () => void) => {
    setProblem(undefined)
    setTaken(undefined)
    apply()
  }

  const look = async (event: FormEvent) => {
    event.preventDefault()
    if (server === undefined) return
    setAsking(true)
    try {
      const {
        items,
        cause,
        reason = '',
        detail = '',
      } = await call(fileEndpoints.folder, { id: server, path: pathText(to) })
      // A folder that cannot be listed is not there yet; the machine will say it otherwise.
      if (cause && cause !== 'failed') {
        return setProblem(translate(`app.inspect.causes.${cause}`, { _: reason, detail }))
      }
      const there = new Set(items.map(({ name }) => rawOfText(name)))
      const both = entries.filter(({ raw }) => there.has(raw)).map(({ name }) => name)
      if (both.length) setTaken(both)
      else send('refuse')
    } catch (error) {
      setProblem(translate((error instanceof Error && error.message) || 'app.toast.unexpected'))
    } finally {
      setAsking(false)
    }
  }

  return (
    <ActionDialog
      title={translate('app.files.transfers.send_title', { smart_count: entries.length })}
      onClose={onClose}
      width={480}
    >
      <form style={{ display: 'contents' }} onSubmit={(event) => void look(event)}>
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
          {problem ? <Alert severity="error">{problem}</Alert> : null}
          {taken ? (
            <Alert severity="warning" sx={{ overflowWrap: 'anywhere' }}>
              {translate('app.files.transfers.taken', { names: taken.slice(0, 8).join(', ') })}
            </Alert>
          ) : null}
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
