import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDataProvider, useEvent } from 'react-admin'
import { mayReconnect } from '../../../api/apiClient.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { endpoints } from '../../../schemas/endpoints/index.ts'
import { formatBytes } from '../../format/format.ts'
import { useLanguage } from '../../format/useLanguage.ts'
import { settingQuery } from '../../hooks/useSetting.ts'
import { openTerminalSocket } from '../socket/terminalSocket.ts'
import { withEarlySession } from './earlySession.ts'
import { historyLines } from './scrollback.ts'
import type { SessionServices } from './terminalSession.ts'

const addressOf = (sessionId: string) =>
  new URL(`/api/v1/ws/terminal/${encodeURIComponent(sessionId)}`, location.href.replace(/^http/, 'ws')).href

type Caller = Pick<ConsoleDataProvider, 'call'>

/** The calls and sockets of sessions, which need nothing that is drawn. */
export const sessionCalls = (caller: Caller, queryClient: QueryClient): Omit<SessionServices, 'skippedNotice'> => ({
  create: (server_id) => caller.call(endpoints.openTerminal, { server_id }),
  flowWindow: () =>
    queryClient.fetchQuery(settingQuery(caller)).then(
      ({ wheelhouse }) => wheelhouse?.terminal_flow,
      // Without settings it is a server that never waits.
      () => undefined,
    ),
  open: (sessionId, flowWindow, events) =>
    openTerminalSocket({ url: addressOf(sessionId), flowWindow, lines: historyLines }, events),
  probe: mayReconnect,
})

/** What terminal sessions need from the console: calls, sockets and texts. */
export function useSessionServices(): SessionServices {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const { locale, translate } = useLanguage()
  const skippedNotice = useEvent((skipped: number) =>
    translate('app.terminal.skipped', { size: formatBytes(skipped, locale) }),
  ) as SessionServices['skippedNotice']
  return useMemo(
    () => withEarlySession({ ...sessionCalls(dataProvider, queryClient), skippedNotice }),
    [dataProvider, queryClient, skippedNotice],
  )
}
