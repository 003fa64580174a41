import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { type KeyboardEvent, useId, useState } from 'react'
import { useNotify, useTranslate } from 'react-admin'
import CodeEditor from '../../../components/CodeEditor.tsx'
import { DiscardDialog, UnsavedChangesGuard } from '../../../engine/form/DiscardDialog.tsx'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'
import type { FileSession } from '../transfer/fileSession.ts'
import { type RawPath, shownPath } from '../transfer/remotePath.ts'
import { useFailureMessage } from '../transfer/useFailureMessage.ts'
import { useQuestion } from '../transfer/useQuestion.ts'
import { languageOf, readBytes, type Viewed } from './readForView.ts'
import { isSame, readText, writeText } from './textFile.ts'

const encodingNames = { 'utf-8': 'UTF-8', 'utf-8-bom': 'UTF-8 BOM', 'utf-16le': 'UTF-16 LE', 'utf-16be': 'UTF-16 BE' }

interface TextEditorProps {
  session: FileSession
  path: RawPath
  name: string
  opened: Viewed & { kind: 'text' }
  onClose: () => void
  onFollow?: () => void
}

/** A text file that can be changed where it is. */
export function TextEditor({ session, path, name, opened, onClose, onFollow }: TextEditorProps) {
  const translate = useTranslate()
  const { file, text, setText, isDirty, isSaving, save, changed } = useTextFile(session, path, name, opened)
  const [isAsking, setAsking] = useState(false)
  const close = () => (isDirty ? setAsking(true) : onClose())
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    if (event.key !== 's' && event.key !== 'Enter') return
    event.preventDefault()
    void save()
  }
  return (
    <ActionDialog title={name} onClose={close} width={960}>
      {/* In the capture phase, because the editor would insert a new line on Ctrl-Enter. */}
      <DialogContent onKeyDownCapture={onKeyDown}>
        <CodeEditor
          value={text}
          onChange={setText}
          language={languageOf(shownPath(path))}
          label={name}
          readOnly={isSaving}
          height="min(62vh, 720px)"
          tabIndents
          autoFocus
        />
        <Typography variant="caption" color="textSecondary" component="p" sx={{ marginTop: 1 }}>
          {encodingNames[file.encoding]} · {file.lineEnding.toUpperCase()} · {translate('app.files.editor_keys')}
        </Typography>
      </DialogContent>
      <DialogActions>
        {onFollow && !isDirty ? <Button onClick={onFollow}>{translate('app.files.manage.follow')}</Button> : null}
        <Button onClick={close}>{translate('app.action.close')}</Button>
        <Button onClick={() => void save()} variant="contained" loading={isSaving} disabled={!isDirty}>
          {translate('app.action.save')}
        </Button>
      </DialogActions>
      {isAsking ? <DiscardDialog onDiscard={onClose} onKeep={() => setAsking(false)} /> : null}
      {changed.question ? <FileChangedDialog {...changed.question} name={name} onAnswer={changed.answer} /> : null}
      {/* Only while it has changes: a page can have one guard, and the newest replaces the others. */}
      {isDirty ? <UnsavedChangesGuard isDirty={() => true} /> : null}
    </ActionDialog>
  )
}

interface FileChangedDialogProps extends FileChangedQuestion {
  name: string
  onAnswer: (answer: FileChangedAnswer) => void
}

/** Asks what to do about a file that is no longer as it was opened. */
function FileChangedDialog({ name, canReload, message, onAnswer }: FileChangedDialogProps) {
  const translate = useTranslate()
  const titleId = useId()
  const keep = () => onAnswer('keep_editing')
  return (
    <Dialog open role="alertdialog" aria-labelledby={titleId} maxWidth="sm" fullWidth onClose={keep}>
      <DialogTitle id={titleId}>{translate('app.files.changed_title', { name })}</DialogTitle>
      <DialogContent>
        <Typography>{translate('app.files.changed_text')}</Typography>
        {message ? (
          <Typography color="error" sx={{ overflowWrap: 'anywhere' }}>
            {message}
          </Typography>
        ) : null}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button onClick={() => onAnswer('overwrite')} color="error">
          {translate('app.files.overwrite_theirs')}
        </Button>
        {canReload ? <Button onClick={() => onAnswer('reload')}>{translate('app.files.reload_theirs')}</Button> : null}
        <Button onClick={keep} variant="contained" autoFocus>
          {translate('app.form.keep_editing')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** What to do about a file that somebody else has changed meanwhile. */
type FileChangedAnswer = 'overwrite' | 'reload' | 'keep_editing'

interface FileChangedQuestion {
  /** Whether what is there now can be edited instead. */
  canReload: boolean
  /** The server's message, when the file could not be read again. */
  message: string | undefined
}

/** A text file being edited: its text, and how to save it. */
function useTextFile(session: FileSession, path: RawPath, name: string, opened: Viewed & { kind: 'text' }) {
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
