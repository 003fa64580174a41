import { useState } from 'react'
import { useNotify } from 'react-admin'
import type { FileSession } from '../transfer/fileSession.ts'
import type { RawPath } from '../transfer/remotePath.ts'
import { useFailureMessage } from '../transfer/useFailureMessage.ts'
import { useQuestion } from '../transfer/useQuestion.ts'
import { readBytes, type Viewed } from './readForView.ts'
import { isSame, readText, writeText } from './textFile.ts'

/** What to do about a file that somebody else has changed meanwhile. */
export type FileChangedAnswer = 'overwrite' | 'reload' | 'keep_editing'

export interface FileChangedQuestion {
  /** Whether what is there now can be edited instead. */
  canReload: boolean
  /** The server's message, when the file could not be read again. */
  message: string | undefined
}

/** A text file being edited: its text, and how to save it. */
export function useTextFile(session: FileSession, path: RawPath, name: string, opened: Viewed & { kind: 'text' }) {
  const notify = useNotify()
  const messageOf = useFailureMessage()
  /** The last known content on the server. */
  const [saved, setSaved] = useState(opened)
  const [text, setText] = useState(opened.file.text)
  const [isSaving, setSaving] = useState(false)
  const changed = useQuestion<FileChangedQuestion, FileChangedAnswer>()
  const isDirty = text !== saved.file.text

  /** Whether to go on writing; asks if the file is no longer what was opened. */
  const confirmWrite = async (): Promise<boolean> => {
    const now = await readBytes(session, path)
    const isBytes = now instanceof Uint8Array
    if (isBytes && isSame(now, saved.bytes)) return true
    const theirs = isBytes ? readText(now) : undefined
    const answer = await changed.ask({ canReload: theirs !== undefined, message: isBytes ? undefined : now.message })
    if (answer === 'reload' && isBytes && theirs) {
      setSaved({ kind: 'text', file: theirs, bytes: now })
      setText(theirs.text)
    }
    return answer === 'overwrite'
  }

  const save = async (): Promise<void> => {
    if (isSaving || !isDirty) return
    setSaving(true)
    try {
      if (await confirmWrite()) {
        const file = { ...saved.file, text }
        const bytes = writeText(file)
        await session.upload(path, new Blob([bytes]))
        setSaved({ kind: 'text', file, bytes })
        notify('app.files.saved', { type: 'success', messageArgs: { name } })
      }
    } catch (error) {
      notify(messageOf(error), { type: 'error' })
    } finally {
      setSaving(false)
    }
  }

  return { file: saved.file, text, setText, isDirty, isSaving, save, changed }
}
