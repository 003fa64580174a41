import { useState } from 'react'
import { useNotify } from 'react-admin'
import type { FileSession } from '../transfer/fileSession.ts'
import type { RawPath } from '../transfer/remotePath.ts'
import { useFailureWords } from '../transfer/useFailureWords.ts'
import { useQuestion } from '../transfer/useQuestion.ts'
import { readAgain, type Viewed } from './readForView.ts'
import { isSame, readText, writeText } from './textFile.ts'

/** What to do about a file that somebody else has changed meanwhile. */
export type ChangedAnswer = 'overwrite' | 'reload' | 'keep_editing'

export interface ChangedQuestion {
  /** Whether what is there now can be edited instead. */
  canReload: boolean
  /** The server's words, when the file could not be read again. */
  words: string | undefined
}

/** A text file being edited: its text, and how it gets back to where it came from. */
export function useTextFile(session: FileSession, path: RawPath, name: string, opened: Viewed & { kind: 'text' }) {
  const notify = useNotify()
  const words = useFailureWords()
  /** As the server has it, as far as is known. */
  const [kept, setKept] = useState(opened)
  const [text, setText] = useState(opened.file.text)
  const [isSaving, setSaving] = useState(false)
  const changed = useQuestion<ChangedQuestion, ChangedAnswer>()
  const isDirty = text !== kept.file.text

  /** Whether to go on writing; asks if the file is no longer what was opened. */
  const mayWrite = async (): Promise<boolean> => {
    const now = await readAgain(session, path)
    const isBytes = now instanceof Uint8Array
    if (isBytes && isSame(now, kept.bytes)) return true
    const theirs = isBytes ? readText(now) : undefined
    const answer = await changed.ask({ canReload: theirs !== undefined, words: isBytes ? undefined : now.words })
    if (answer === 'reload' && isBytes && theirs) {
      setKept({ kind: 'text', file: theirs, bytes: now })
      setText(theirs.text)
    }
    return answer === 'overwrite'
  }

  const save = async (): Promise<void> => {
    if (isSaving || !isDirty) return
    setSaving(true)
    try {
      if (await mayWrite()) {
        const file = { ...kept.file, text }
        const bytes = writeText(file)
        await session.upload(path, new Blob([bytes]))
        setKept({ kind: 'text', file, bytes })
        notify('app.files.saved', { type: 'success', messageArgs: { name } })
      }
    } catch (error) {
      notify(words(error), { type: 'error' })
    } finally {
      setSaving(false)
    }
  }

  return { file: kept.file, text, setText, isDirty, isSaving, save, changed }
}
