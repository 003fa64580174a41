import ShareIcon from '@mui/icons-material/GroupAddOutlined'
import TellIcon from '@mui/icons-material/NotificationsOutlined'
import RecordIcon from '@mui/icons-material/RadioButtonCheckedOutlined'
import { type ReactNode, Suspense, useState } from 'react'
import { useDataProvider, useNotify, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { useToast } from '../../../engine/parts/useToast.ts'
import { terminalEndpoints } from '../../../schemas/endpoints/terminalEndpoints.ts'
import { type Pane, type PaneStore, terminalId } from '../panes/paneStore.ts'
import { notificationRight } from '../panes/useProgramRequests.ts'
import { quietSeconds } from '../session/commandWatch.ts'
import type { Tool } from './ToolbarButton.tsx'

const ShareDialog = lazyPart(() => import('./ShareDialog.tsx'))

/** What can be done with one terminal: be told when its command ends, share it, record it. */
export function useSessionTools(pane: Pane | undefined, store: PaneStore): { tools: Tool[]; dialog: ReactNode } {
  const translate = useTranslate()
  const notify = useNotify()
  const toast = useToast()
  const { call } = useDataProvider<ConsoleDataProvider>()
  /** The terminal whose sharing is open. */
  const [sharing, setSharing] = useState<number>()
  if (!pane) return { tools: [], dialog: null }
  const { terminal, isWatched, key } = pane
  const recording = terminal?.recording

  const watch = async () => {
    const how = store.watchCommand(key, !isWatched)
    pane.screen.focus()
    if (isWatched || !how) return
    notify(`app.terminal.command.${how}`, { type: 'info', messageArgs: { count: quietSeconds } })
    // In this window it is said in any case.
    if (notificationRight() === 'default') await Notification.requestPermission()
  }
  const record = () =>
    call(terminalEndpoints.recordTerminal, { session: terminalId(pane), is_on: recording !== 'on' }).catch(
      toast.showError,
    )
  const tell: Tool = {
    name: translate('app.terminal.command.tell'),
    icon: <TellIcon fontSize="small" />,
    isOn: isWatched,
    isOff: pane.state.phase !== 'open',
    onUse: () => void watch(),
  }
  const share: Tool = {
    name: translate('app.terminal.share.title'),
    icon: <ShareIcon fontSize="small" />,
    isOn: terminal?.share !== undefined,
    onUse: () => setSharing(key),
  }
  const recorded: Tool = {
    name: translate('app.terminal.record.button'),
    icon: <RecordIcon fontSize="small" />,
    isOn: recording === 'on',
    onUse: () => void record(),
  }
  const mayRecord = recording === 'on' || recording === 'off'
  return {
    tools: [tell, ...(terminal ? [share] : []), ...(mayRecord ? [recorded] : [])],
    dialog: (
      <Suspense>{sharing === key ? <ShareDialog pane={pane} onClose={() => setSharing(undefined)} /> : null}</Suspense>
    ),
  }
}
