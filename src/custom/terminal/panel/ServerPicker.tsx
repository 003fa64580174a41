import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import List from '@mui/material/List'
import ListItemButton from '@mui/material/ListItemButton'
import ListItemText from '@mui/material/ListItemText'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useState } from 'react'
import { type RaRecord, useGetList, useTranslate } from 'react-admin'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { ActionDialog, RetryAlert } from '../../../engine/parts/ActionDialog.tsx'
import { isZeroTime } from '../../../live/lastReport.ts'
import { useLive } from '../../../live/store.ts'
import { mayOn } from '../../../schemas/define/access.ts'

/** Servers shown at once; a search finds the others. */
const maxShown = 50

interface ServerPickerProps {
  onPick: (server: { id: number; name: string }) => void
  onClose: () => void
}

/** Offers the servers, to open one more terminal on. */
export function ServerPicker({ onPick, onClose }: ServerPickerProps) {
  const translate = useTranslate()
  const [query, setQuery] = useState('')
  const {
    data: found = [],
    total = 0,
    isPending,
    error,
    refetch,
  } = useGetList<ServerRow & RaRecord>('server', {
    filter: query.trim() ? { name: query.trim() } : {},
    pagination: { page: 1, perPage: maxShown },
    sort: { field: 'name', order: 'ASC' },
  })
  const data = found.filter((server) => mayOn(server, 'act'))
  const label = translate('app.terminal.picker.search')
  return (
    <ActionDialog title={translate('app.terminal.picker.title')} width={480} onClose={onClose}>
      <DialogContent dividers>
        <OutlinedInput
          autoFocus
          fullWidth
          size="small"
          value={query}
          placeholder={label}
          slotProps={{ input: { 'aria-label': label } }}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={(event) => {
            const [first] = data
            // Enter may also end what an input method composes.
            if (event.key !== 'Enter' || event.nativeEvent.isComposing || !first) return
            // The button that gets the focus back would be pressed by the same key, and open this once more.
            event.preventDefault()
            onPick({ id: Number(first.id), name: first.name ?? '' })
          }}
        />
        {error ? (
          <RetryAlert onRetry={refetch}>{translate('app.list.error', { error: error.message })}</RetryAlert>
        ) : null}
        <List sx={{ minHeight: 120 }} aria-busy={isPending}>
          {data.map((server) => (
            <ServerOption key={server.id} server={server} onPick={onPick} />
          ))}
        </List>
        <p role="status" style={{ margin: 0 }}>
          {!isPending && data.length === 0 && !error ? translate('app.list.no_results') : null}
          {total > found.length ? translate('app.list.more', { count: total - found.length }) : null}
        </p>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
      </DialogActions>
    </ActionDialog>
  )
}

function ServerOption({ server, onPick }: { server: ServerRow; onPick: ServerPickerProps['onPick'] }) {
  const translate = useTranslate()
  const isOnline = useLive(Number(server.id), (live) => live?.online ?? !isZeroTime(server.last_active))
  return (
    <li>
      <ListItemButton onClick={() => onPick({ id: Number(server.id), name: server.name ?? '' })}>
        <ListItemText
          primary={server.name}
          secondary={`#${server.id} · ${translate(`resources.server.values.${isOnline ? 'online' : 'offline'}`)}`}
          slotProps={{ primary: { noWrap: true }, secondary: { noWrap: true } }}
        />
      </ListItemButton>
    </li>
  )
}
