import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { type FormEvent, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { PathField } from '../../../components/inputs/PathField.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { LazyReferencePicker } from '../../../engine/kinds/reference/LazyReferencePicker.ts'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import { type Entry, pathText, type RawPath, rawOfText, shownPath, typedPath } from '../transfer/remotePath.ts'
import type { Sending } from './useServerTransfers.ts'

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

interface Taken {
  /** Why the folder could not be looked at. */
  problem?: string
  /** Names of entries that are there already. */
  taken?: readonly string[]
}

/** Which of some entries another folder has already, asked for before they are put there. */
function useTakenNames(entries: readonly Entry[]) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [found, setFound] = useState<Taken>({})
  const [isAsking, setAsking] = useState(false)

  /** @param isMade whether a folder that is not there will be made */
  async function ask(id: number, folder: RawPath, isMade: boolean): Promise<Taken> {
    const answer = await call(fileEndpoints.folder, { id, path: pathText(folder) })
    const { items, cause, reason = '', detail = '' } = answer
    if (cause && !(isMade && cause === 'failed')) {
      return { problem: translate(`app.inspect.causes.${cause}`, { _: reason, detail }) }
    }
    const there = new Set(items.map(({ name }) => rawOfText(name)))
    const taken = entries.filter(({ raw }) => there.has(raw)).map(({ name }) => name)
    return taken.length ? { taken } : {}
  }

  return {
    ...found,
    isAsking,
    forget: () => setFound({}),
    /** @returns whether nothing is in the way */
    async look(id: number, folder: RawPath, isMade = false): Promise<boolean> {
      setAsking(true)
      try {
        const now = await ask(id, folder, isMade)
        setFound(now)
        return !now.problem && !now.taken
      } catch (error) {
        setFound({ problem: translate((error instanceof Error && error.message) || 'app.toast.unexpected') })
        return false
      } finally {
        setAsking(false)
      }
    },
  }
}

function TakenNames({ problem, taken }: Taken) {
  const translate = useTranslate()
  if (problem) return <Alert severity="error">{problem}</Alert>
  if (!taken) return null
  return (
    <Alert severity="warning" sx={{ overflowWrap: 'anywhere' }}>
      {translate('app.files.transfers.taken', { names: taken.slice(0, 8).join(', ') })}
    </Alert>
  )
}
