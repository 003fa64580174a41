import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDataProvider, useEvent, useNotify } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { watchSession } from '../../session/sessionGate.ts'
import { settingQuery } from '../hooks/useSetting.ts'
import { FileSession } from './transfer/fileSession.ts'

/** The files of one server, for as long as the component is there and somebody is signed in. */
export function useFileSession(serverId: number): FileSession {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const notify = useNotify()
  const onProtocolError = useEvent(() => notify('app.files.failure.unknown', { type: 'error' })) as () => void
  const [session] = useState(
    () =>
      new FileSession({
        openSession: async () => {
          const [opened, announcesReady] = await Promise.all([
            dataProvider.call(endpoints.openFile, { id: serverId }),
            queryClient.fetchQuery(settingQuery(dataProvider)).then(
              ({ wheelhouse }) => wheelhouse?.upload_ready === true,
              // Without settings it is a server that never tells.
              () => false,
            ),
          ])
          return { url: socketAddress(opened.session_id), announcesReady }
        },
        onProtocolError,
      }),
  )
  useEffect(() => {
    session.resume()
    const stopWatching = watchSession({ onEnd: () => session.close(), onOpen: () => session.resume() })
    return () => {
      stopWatching()
      session.close()
    }
  }, [session])
  return session
}

const socketAddress = (id: string) => {
  const { protocol, host } = window.location
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/v1/ws/file/${encodeURIComponent(id)}`
}
