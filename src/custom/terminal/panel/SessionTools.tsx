import ShareIcon from '@mui/icons-material/GroupAddOutlined'
import TellIcon from '@mui/icons-material/NotificationsOutlined'
import RecordIcon from '@mui/icons-material/RadioButtonCheckedOutlined'
import { Suspense, useState } from 'react'
import { useDataProvider, useNotify, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { useToast } from '../../../engine/parts/useToast.ts'
import { terminalEndpoints } from '../../../schemas/endpoints/terminalEndpoints.ts'
import { type Pane, type PaneStore, terminalId } from '../panes/paneStore.ts'
import { notificationRight } from '../panes/useProgramRequests.ts'
import { quietSeconds } from '../session/commandWatch.ts'
import { ToolbarButton } from './ToolbarButton.tsx'

const ShareDialog = lazyPart(() => import('./ShareDialog.tsx'))

/** What can be done with one terminal: be told when its command ends, share it, record it. */
export function SessionTools({ pane, store }: { pane: Pane; store: PaneStore }) {
  const translate = useTranslate()
  const notify = useNotify()
  const toast = useToast()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [isSharing, setSharing] = useState(false)
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
  return (
    <>
      <ToolbarButton
        name={translate('app.terminal.command.tell')}
        isOn={isWatched}
        isOff={pane.state.phase !== 'open'}
        onClick={() => void watch()}
      >
        <TellIcon fontSize="small" />
      </ToolbarButton>
      {terminal ? (
        <ToolbarButton
          name={translate('app.terminal.share.title')}
          isOn={terminal.share !== undefined}
          onClick={() => setSharing(true)}
        >
          <ShareIcon fontSize="small" />
        </ToolbarButton>
      ) : null}
      {recording === 'on' || recording === 'off' ? (
        <ToolbarButton
          name={translate('app.terminal.record.button')}
          isOn={recording === 'on'}
          onClick={() => void record()}
        >
          <RecordIcon fontSize="small" />
        </ToolbarButton>
      ) : null}
      <Suspense>{isSharing ? <ShareDialog pane={pane} onClose={() => setSharing(false)} /> : null}</Suspense>
    </>
  )
}
