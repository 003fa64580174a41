import { useRef, useState } from 'react'
import { useLocale, useNotify } from 'react-admin'
import { FileFailure } from './transfer/fileFailure.ts'
import type { FileSession, Folder } from './transfer/fileSession.ts'
import { nameOf, normalPath, type RawPath, shownPath } from './transfer/remotePath.ts'
import { useFailureWords } from './transfer/useFailureWords.ts'

/** Asks for the home directory of the user that the agent runs as. */
export const home: RawPath = ''

export interface OpenFolder extends Folder {
  /** The entry that the person stands on. */
  active?: RawPath
}

/** The folder that is open, and the ways to another. */
export function useFolder(session: FileSession) {
  const notify = useNotify()
  const locale = useLocale()
  const words = useFailureWords()
  const [folder, setFolder] = useState<OpenFolder>()
  const [failure, setFailure] = useState<{ words: string; path: RawPath }>()
  const [isLoading, setLoading] = useState(false)
  const asked = useRef(0)

  /** Opens a folder. What cannot be listed is answered with the home directory, and the person is told. */
  const open = async (path: RawPath, active?: RawPath): Promise<void> => {
    asked.current += 1
    const turn = asked.current
    setLoading(true)
    try {
      const found = await session.list(path, locale)
      if (turn !== asked.current) return
      const isOther = path !== home && found.path !== path
      setFolder({ ...found, path: normalPath(found.path), active: isOther ? undefined : active })
      setFailure(undefined)
      if (isOther) {
        const messageArgs = { path: shownPath(path), shown: shownPath(found.path) }
        notify('app.files.fallback', { type: 'warning', messageArgs })
      }
    } catch (error) {
      if (turn !== asked.current || (error instanceof FileFailure && error.failure.code === 'cancelled')) return
      const isSilent = error instanceof FileFailure && error.failure.code === 'silent'
      if (isSilent && folder && folder.path !== path) {
        notify('app.files.reopened', { type: 'warning', messageArgs: { path: shownPath(path) } })
        return await open(folder.path, folder.active)
      }
      setFailure({ words: words(error), path })
    } finally {
      if (turn === asked.current) setLoading(false)
    }
  }

  return {
    folder,
    failure,
    isLoading,
    open,
    refresh: () => open(folder?.path ?? home, folder?.active),
    /** Where the person stands; found again after a refresh. */
    activate: (active: RawPath) => setFolder((now) => now && { ...now, active }),
    /** Opens the folder above and stands on the one that was left. */
    leave: (parent: RawPath) => open(parent, folder && nameOf(folder.path)),
  }
}
