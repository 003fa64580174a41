import { useEffect, useState } from 'react'
import { useDataProvider, useEvent, useNotify } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { endpoints } from '../../schemas/endpoints.ts'
import { watchSession } from '../../sessionGate.ts'
import { FileSession } from './fileSession.ts'

/** The files of one server, for as long as the component is there and somebody is signed in. */
export function useFileSession(serverId: number): FileSession {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const notify = useNotify()
  const onTrouble = useEvent(() => notify('app.files.failure.unknown', { type: 'error' })) as () => void
  const [session] = useState(
    () =>
      new FileSession({
        openSession: async () => socketAddress((await call(endpoints.openFile, { id: serverId })).session_id),
        onTrouble,
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
