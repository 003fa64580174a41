import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDataProvider, useEvent, useLocale, useNotify } from 'react-admin'
import { settingQuery } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { watchSession } from '../../session/sessionGate.ts'
import { FileSession, type Folder } from './transfer/fileSession.ts'
import { home, type RawPath } from './transfer/remotePath.ts'

export interface OpenedFiles {
  serverId: number
  session: FileSession
  /** The folder to begin with, and what is in it, which is on its way. */
  path: RawPath
  first: Promise<Folder>
}

/**
 * The files of one server, for as long as the component is there. The first folder is asked for at once: the panel that
 * shows it may have to be fetched meanwhile.
 * @param folder to begin with; by default the home directory
 */
export function useOpenedFiles(serverId: number, folder: RawPath = home): OpenedFiles {
  const session = useFileSession(serverId)
  const locale = useLocale()
  const [begun] = useState(() => {
    const first = session.list(folder, locale)
    // The panel shows what fails.
    first.catch(() => {})
    return { path: folder, first }
  })
  return { serverId, session, ...begun }
}

/** The session ends with the component, and when the user is no longer signed in. */
function useFileSession(serverId: number): FileSession {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const notify = useNotify()
  const onProtocolError = useEvent(() => notify('app.files.failure.unknown', { type: 'error' }))
  const [session] = useState(
    () =>
      new FileSession({
        openSession: async () => {
          const [opened, announcesReady] = await Promise.all([
            dataProvider.call(endpoints.openFile, { id: serverId }),
            queryClient.fetchQuery(settingQuery(dataProvider)).then(
              ({ wheelhouse }) => wheelhouse?.upload_ready === true,
              // Without the settings, the server is taken for one that does not announce it.
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
