import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useDataProvider, useEvent } from 'react-admin'
import { mayReconnect } from '../../../api/apiClient.ts'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { settingQuery } from '../../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { endpoints } from '../../../schemas/endpoints/index.ts'
import { withEarlySession } from './earlySession.ts'
import { openSessionSocket } from './sessionSocket.ts'
import type { SessionServices } from './terminalSession.ts'

/** What terminal sessions need from the console: calls, sockets and texts. */
export function useSessionServices(): SessionServices {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const { locale, translate } = useLanguage()
  const skippedNotice = useEvent((skipped: number) =>
    translate('app.terminal.skipped', { size: formatBytes(skipped, locale) }),
  )
  return useMemo(
    () =>
      withEarlySession({
        create: (server_id) => dataProvider.call(endpoints.openTerminal, { server_id }),
        features: () =>
          queryClient.fetchQuery(settingQuery(dataProvider)).then(
            ({ wheelhouse }) => ({ flowWindow: wheelhouse?.terminal_flow, holdMinutes: wheelhouse?.terminal_hold }),
            // Without the settings, the server is taken for one that knows the contract and nothing else.
            () => ({}),
          ),
        open: openSessionSocket,
        probe: mayReconnect,
        skippedNotice,
      }),
    [dataProvider, queryClient, skippedNotice],
  )
}
