import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import { formatDateTime } from '../../../components/format/format.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { PendingData, useToast } from '../../../engine/parts/ActionDialog.tsx'
import { type HeldTerminal, terminalEndpoints } from '../../../schemas/endpoints/terminalEndpoints.ts'
import type { TabTerminal } from '../../../storage/tabTerminals.ts'
import { PlainList } from '../../profile/PlainList.tsx'

/** Milliseconds: others open and end terminals too. */
const refreshMs = 5_000

interface TerminalListProps {
  /** Shows a terminal here; the window that shows it now is told. */
  onShow: (terminal: TabTerminal) => void
}

/** The open terminals of the person, for administrators of everybody. For servers with `wheelhouse.terminal_hold`. */
export function TerminalList({ onShow }: TerminalListProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [busy, setBusy] = useState<string>()
  const { data, error, refetch } = useQuery({
    queryKey: ['terminals', 'held'],
    queryFn: () => call(terminalEndpoints.heldTerminals),
    refetchInterval: refreshMs,
  })

  const act = async (id: string, execute: () => Promise<void>) => {
    setBusy(id)
    try {
      await execute()
    } catch (failure) {
      toast.showError(failure)
    }
    await refetch()
    setBusy(undefined)
  }
  const show = ({ id }: HeldTerminal) =>
    act(id, async () => {
      const { session_id, server_id, server_name } = await call(terminalEndpoints.attachTerminal, { session: id })
      onShow({ serverId: server_id, serverName: server_name, sessionId: session_id })
    })
  const end = ({ id }: HeldTerminal) =>
    act(id, async () => {
      await call(terminalEndpoints.endTerminal, { session: id })
      toast.show({ key: 'app.terminal.held.ended' })
    })

  return (
    <>
      <PendingData data={data} error={error} onRetry={refetch} />
      {data?.length === 0 ? <p>{translate('app.terminal.held.empty')}</p> : null}
      <List>
        {data?.map((terminal) => (
          <Entry
            key={terminal.id}
            terminal={terminal}
            isBusy={busy === terminal.id}
            onShow={() => void show(terminal)}
            onEnd={() => void end(terminal)}
          />
        ))}
      </List>
    </>
  )
}

interface EntryProps {
  terminal: HeldTerminal
  isBusy: boolean
  onShow: () => void
  onEnd: () => void
}

function Entry({ terminal, isBusy, onShow, onEnd }: EntryProps) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { server_name: name, username, opened_at, used_at, held_until } = terminal
  const timeOf = (at: string) => formatDateTime(Date.parse(at), locale, 'short')
  const args = { name, time: timeOf(opened_at) }
  const facts = [
    username,
    translate('app.terminal.held.since', args),
    translate('app.terminal.held.used', { time: timeOf(used_at) }),
    held_until
      ? translate('app.terminal.held.until', { time: timeOf(held_until) })
      : translate('app.terminal.held.shown'),
  ]
  return (
    <li>
      <strong>{name}</strong>
      <span>{facts.join(' · ')}</span>
      <Button
        variant="outlined"
        color="inherit"
        disabled={isBusy}
        aria-label={translate('app.terminal.held.show_named', args)}
        onClick={onShow}
      >
        {translate('app.terminal.held.show')}
      </Button>
      <Button
        variant="outlined"
        color="inherit"
        loading={isBusy}
        aria-label={translate('app.terminal.held.end_named', args)}
        onClick={onEnd}
      >
        {translate('app.terminal.held.end')}
      </Button>
    </li>
  )
}

const List = styled(PlainList)(({ theme }) => ({
  '& strong': { minWidth: 120, fontWeight: 600, overflowWrap: 'anywhere' },
  '& span': { flex: 1, minWidth: 200, color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: { '& strong, & span': { flex: '1 0 100%' } },
}))
