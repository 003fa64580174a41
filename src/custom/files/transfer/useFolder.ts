import { useRef, useState } from 'react'
import { useEvent, useLocale, useNotify } from 'react-admin'
import { FileFailure } from './fileFailure.ts'
import type { FileSession, Folder } from './fileSession.ts'
import { home, nameOf, normalPath, type RawPath, shownPath } from './remotePath.ts'
import { useFailureMessage } from './useFailureMessage.ts'

export interface OpenFolder extends Folder {
  /** The active entry. */
  active?: RawPath
}

/** The open folder, and functions to open another. */
export function useFolder(session: FileSession) {
  const notify = useNotify()
  const locale = useLocale()
  const messageOf = useFailureMessage()
  const [folder, setFolder] = useState<OpenFolder>()
  const [failure, setFailure] = useState<{ message: string; path: RawPath }>()
  const [isLoading, setLoading] = useState(false)
  const lastRequest = useRef(0)
  /** The folder that is open or on its way. */
  const lastPath = useRef<RawPath>(home)

  /**
   * Opens a folder. Servers answer with the home directory when it cannot be listed; a notification says so.
   * @param asked the answer, where the folder was asked for before
   */
  const open = async (path: RawPath, active?: RawPath, asked = session.list(path, locale)): Promise<void> => {
    lastRequest.current += 1
    const request = lastRequest.current
    lastPath.current = path
    setLoading(true)
    const activeBefore = folder?.active
    try {
      const found = await asked
      if (request !== lastRequest.current) return
      const isOther = path !== home && found.path !== path
      const shown = normalPath(found.path)
      lastPath.current = shown
      setFolder((now) => {
        // The next key is for the entry that was moved to while the folder was listed again.
        const hasMoved = now?.path === shown && now.active !== activeBefore
        return { ...found, path: shown, active: hasMoved ? now.active : isOther ? undefined : active }
      })
      setFailure(undefined)
      if (isOther) {
        const messageArgs = { path: shownPath(path), shown: shownPath(found.path) }
        notify('app.files.fallback', { type: 'warning', messageArgs })
      }
    } catch (error) {
      if (request !== lastRequest.current || (error instanceof FileFailure && error.failure.code === 'cancelled'))
        return
      const isSilent = error instanceof FileFailure && error.failure.code === 'silent'
      if (isSilent && folder && folder.path !== path) {
        notify('app.files.reopened', { type: 'warning', messageArgs: { path: shownPath(path) } })
        return await open(folder.path, folder.active)
      }
      setFailure({ message: messageOf(error), path })
    } finally {
      if (request === lastRequest.current) setLoading(false)
    }
  }

  /** Lists a folder again in which something has changed, unless another one was opened meanwhile. */
  const changed = useEvent(async (path: RawPath, active?: RawPath) => {
    if (lastPath.current === path) await open(path, active ?? folder?.active)
  })

  return {
    folder,
    failure,
    isLoading,
    open,
    changed,
    refresh: () => open(folder?.path ?? home, folder?.active),
    /** Sets the active entry; it stays active after a refresh. */
    activate: (active: RawPath) => setFolder((now) => now && { ...now, active }),
    /** Opens the parent folder, with the previous one as its active entry. */
    leave: (parent: RawPath) => open(parent, folder && nameOf(folder.path)),
  }
}
