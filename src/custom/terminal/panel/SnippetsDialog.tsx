import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { type ChangeEvent, useRef, useState } from 'react'
import { useStore, useTranslate } from 'react-admin'
import type { TextArgs } from '../../../../i18n/fillText.ts'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { saveFile } from '../../../engine/export/exportRows.ts'
import { currentUser } from '../../../session/currentUser.ts'
import { SnippetForm } from './SnippetForm.tsx'
import { exportSnippets, freeName, mergeSnippets, readSnippets, type Snippet, SnippetProblem } from './snippets.ts'

const none: Snippet[] = []

interface SnippetsDialogProps {
  onInsert: (text: string) => void
  onRun: (text: string) => void
  /** Whether there is a shell to type into. */
  canSend: boolean
  onClose: () => void
}

/** Commands to have at hand: typed by a click, or run at once. Kept in this browser, for this person. */
export default function SnippetsDialog({ onInsert, onRun, canSend, onClose }: SnippetsDialogProps) {
  const translate = useTranslate()
  const text = (key: string, args?: TextArgs) => translate(`app.terminal.snippets.${key}`, args)
  const [snippets, setSnippets] = useStore<Snippet[]>(`terminal.snippets.${currentUser()?.id ?? 0}`, none)
  const [edited, setEdited] = useState<Snippet | 'new'>()
  const [message, setMessage] = useState<{ severity: 'success' | 'error'; text: string; undo?: Snippet[] }>()
  const file = useRef<HTMLInputElement>(null)

  const save = (snippet: Snippet) => {
    const others = snippets.filter((other) => other !== edited)
    const named = { ...snippet, name: freeName(snippet.name, others) }
    setSnippets(edited === 'new' ? [...snippets, named] : snippets.map((one) => (one === edited ? named : one)))
    setEdited(undefined)
  }
  const remove = (snippet: Snippet) => {
    setSnippets(snippets.filter((other) => other !== snippet))
    setMessage({
      severity: 'success',
      text: translate('app.toast.deleted', { what: translate('app.confirm.quoted', { name: snippet.name }) }),
      undo: snippets,
    })
  }
  const restore = (before: Snippet[] = snippets) => {
    setSnippets(before)
    setMessage(undefined)
  }
  const importFile = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = target.files?.[0]
    if (!chosen) return
    try {
      const merged = mergeSnippets(snippets, readSnippets(await chosen.text()))
      setSnippets(merged)
      setMessage({ severity: 'success', text: text('imported', { smart_count: merged.length - snippets.length }) })
    } catch (problem) {
      if (!(problem instanceof SnippetProblem)) throw problem
      setMessage({
        severity: 'error',
        text: translate(`app.terminal.snippets.problem.${problem.key}`, { file: chosen.name, ...problem.args }),
      })
    }
    // The same file may be chosen again once it is mended.
    target.value = ''
  }
  if (edited) {
    return (
      <SnippetForm snippet={edited === 'new' ? undefined : edited} onSave={save} onClose={() => setEdited(undefined)} />
    )
  }
  return (
    <ActionDialog title={text('open')} onClose={onClose}>
      <DialogContent dividers>
        {message ? (
          <Alert severity={message.severity} onClose={() => setMessage(undefined)} sx={{ marginBottom: 1 }}>
            {message.text}{' '}
            {message.undo ? (
              <Button color="inherit" size="small" onClick={() => restore(message.undo)}>
                {text('undo')}
              </Button>
            ) : null}
          </Alert>
        ) : null}
        <Rows>
          {snippets.map((snippet) => (
            <li key={snippet.name}>
              <div>
                <strong>{snippet.name}</strong>
                <code>{snippet.text}</code>
              </div>
              <Button disabled={!canSend} onClick={() => onInsert(snippet.text)}>
                {text('insert')}
              </Button>
              <Button disabled={!canSend} onClick={() => onRun(snippet.text)}>
                {text('run')}
              </Button>
              <Button onClick={() => setEdited(snippet)}>{text('edit')}</Button>
              <Button color="error" onClick={() => remove(snippet)}>
                {translate('app.action.delete')}
              </Button>
            </li>
          ))}
        </Rows>
        {snippets.length === 0 ? <Typography>{text('empty')}</Typography> : null}
        <Typography variant="body2" color="textSecondary" sx={{ marginTop: 2 }}>
          {text('storage_note')}
        </Typography>
        <input
          ref={file}
          type="file"
          accept=".json,application/json"
          hidden
          onChange={importFile}
          aria-label={text('import')}
        />
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button onClick={() => file.current?.click()}>{text('import')}</Button>
        <Button
          disabled={snippets.length === 0}
          onClick={() => saveFile(exportSnippets(snippets), 'snippets.json', 'application/json')}
          sx={{ marginInlineEnd: 'auto' }}
        >
          {text('export')}
        </Button>
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
        <Button variant="contained" onClick={() => setEdited('new')}>
          {text('add')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

const Rows = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& > li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    padding: theme.spacing(1, 0),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& > li > div': { flex: '1 1 240px', minWidth: 0, display: 'grid' },
  '& code': {
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: theme.vars.palette.text.secondary,
  },
}))
