import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider, useLocaleState, useNotify, useTranslate } from 'react-admin'
import { formatDateTime } from '../../../components/format/format.ts'
import { useSetting } from '../../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { useToast } from '../../../engine/parts/ActionDialog.tsx'
import { type HeldTerminal, terminalEndpoints } from '../../../schemas/endpoints/terminalEndpoints.ts'
import { type Pane, terminalId } from '../panes/paneStore.ts'

/** Milliseconds: terminals open and end in other windows. */
const refreshMs = 5_000

/**
 * The person's terminals in other windows and without one, and what types into them. None on servers that hold no
 * terminals.
 */
export function useOtherTerminals(panes: readonly Pane[]) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const notify = useNotify()
  const toast = useToast()
  const isHolding = useSetting()?.wheelhouse?.terminal_hold !== undefined
  const { data = [] } = useQuery({
    queryKey: ['terminals', 'held'],
    queryFn: () => call(terminalEndpoints.heldTerminals),
    enabled: isHolding,
    refetchInterval: refreshMs,
  })
  const here = new Set(panes.map(terminalId))
  const others = data.filter(({ id, is_own }) => is_own && !here.has(id))

  /**
   * Types a text into some of them, one after the other; those that refuse it are named, with the first reason.
   * @returns the ids of those
   */
  const typeInto = async (ids: readonly string[], text: string, runs: boolean): Promise<readonly string[]> => {
    const refused: HeldTerminal[] = []
    for (const terminal of others.filter(({ id }) => ids.includes(id))) {
      try {
        await call(terminalEndpoints.typeIntoTerminal, { session: terminal.id, text, runs })
      } catch (failure) {
        if (refused.length === 0) toast.showError(failure)
        refused.push(terminal)
      }
    }
    const names = refused.map(({ server_name }) => server_name).join(', ')
    if (refused.length > 0) notify('app.terminal.send.failed', { type: 'error', messageArgs: { names } })
    return refused.map(({ id }) => id)
  }
  return { others, typeInto }
}

interface OtherTerminalsProps {
  others: readonly HeldTerminal[]
  /** Ids of those that are chosen. */
  chosen: readonly string[]
  onChoose: (chosen: readonly string[]) => void
}

/** Which of the terminals in other windows: a box for each, with the server and since when. */
export function OtherTerminals({ others, chosen, onChoose }: OtherTerminalsProps) {
  const name = useOtherName()
  return others.map((terminal) => (
    <FormControlLabel
      key={terminal.id}
      label={name(terminal)}
      sx={{ overflowWrap: 'anywhere' }}
      control={
        <Checkbox
          checked={chosen.includes(terminal.id)}
          onChange={(_, checked) =>
            onChoose(checked ? [...chosen, terminal.id] : chosen.filter((id) => id !== terminal.id))
          }
        />
      }
    />
  ))
}

/** What a terminal of another window is called: several may have been opened on one server in a minute. */
export function useOtherName(): (terminal: HeldTerminal) => string {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  return ({ server_name, opened_at }) => {
    const time = formatDateTime(Date.parse(opened_at), locale)
    return `${server_name} · ${translate('app.terminal.held.since', { time })}`
  }
}
