import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { type ChangeEvent, useRef, useState } from 'react'
import { useStore, useTranslate } from 'react-admin'
import type { TextArgs } from '../../../../i18n/fillText.ts'
import { HiddenFileInput } from '../../../components/inputs/HiddenFileInput.tsx'
import { saveFile } from '../../../engine/export/exportRows.ts'
import { ActionDialog, RetryAlert } from '../../../engine/parts/ActionDialog.tsx'
import { roles } from '../../../schemas/define/access.ts'
import type { SharedSnippet } from '../../../schemas/endpoints/terminalEndpoints.ts'
import { currentUser } from '../../../session/currentUser.ts'
import type { Pane } from '../panes/paneStore.ts'
import { useOtherTerminals } from './otherTerminals.tsx'
import { type SendSnippet, SendSnippetDialog, SnippetForm } from './SnippetForms.tsx'
import {
  exportSnippets,
  freeName,
  mergeSnippets,
  parametersOf,
  readSnippets,
  type Snippet,
  SnippetProblem,
} from './snippets.ts'
import { useSharedSnippets } from './useSharedSnippets.ts'

const none: Snippet[] = []

interface SnippetsDialogProps {
  panes: readonly Pane[]
  /** The one in front, which is chosen first. */
  active: Pane | undefined
  onSend: SendSnippet
  onClose: () => void
}

type Edited = { from?: Snippet; shared?: SharedSnippet }

/**
 * Commands to have at hand: typed by a click, or run at once. A person's own are kept in this browser, those of
 * everybody on the server, where administrators change them.
 */
export default function SnippetsDialog({ panes, active, onSend, onClose }: SnippetsDialogProps) {
  const translate = useTranslate()
  const text = (key: string, args?: TextArgs) => translate(`app.terminal.snippets.${key}`, args)
  const [snippets, setSnippets] = useStore<Snippet[]>(`terminal.snippets.${currentUser()?.id ?? 0}`, none)
  const { isKept, error, refetch, shared, saveShared, removeShared } = useSharedSnippets()
  const mayShare = isKept && currentUser()?.role === roles.admin
  const [edited, setEdited] = useState<Edited>()
  const [sending, setSending] = useState<Snippet>()
  const [message, setMessage] = useState<{ severity: 'success' | 'error'; text: string; undo?: Snippet[] }>()
  const file = useRef<HTMLInputElement>(null)
  const { others, typeInto } = useOtherTerminals(panes)
  const open = panes.filter(({ state }) => state.phase === 'open')
  const canSend = open.length + others.length > 0

  const saveOwn = (snippet: Snippet, from?: Snippet) => {
    const others = snippets.filter((other) => other !== from)
    const named = { ...snippet, name: freeName(snippet.name, others) }
    setSnippets(from ? snippets.map((one) => (one === from ? named : one)) : [...snippets, named])
  }
  const save = async (snippet: Snippet, isShared: boolean) => {
    const { from, shared: before } = edited ?? {}
    if (isShared) {
      if (!(await saveShared({ ...snippet, ...(before && { id: before.id }) }))) return
      if (from) setSnippets(snippets.filter((other) => other !== from))
    } else {
      saveOwn(snippet, from)
      if (before) await removeShared(before)
    }
    setEdited(undefined)
  }
  const send = (snippet: Snippet, runs: boolean) => {
    const [only] = open
    const hasChoice = open.length + others.length > 1
    if (!only || hasChoice || parametersOf(snippet.text).length > 0) setSending(snippet)
    else onSend(snippet.text, { keys: [only.key], others: [] }, runs)
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
    const { from, shared: before } = edited
    return (
      <SnippetForm
        snippet={from ?? before}
        {...(mayShare && { isShared: before !== undefined })}
        onSave={(snippet, isShared) => void save(snippet, isShared)}
        onClose={() => setEdited(undefined)}
      />
    )
  }
  if (sending) {
    return (
      <SendSnippetDialog
        snippet={sending}
        panes={panes}
        others={others}
        activeKey={active?.key ?? 0}
        onSend={(text, to, runs) => {
          void typeInto(to.others, text, runs)
          onSend(text, to, runs)
        }}
        onClose={() => setSending(undefined)}
      />
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
        {error ? <RetryAlert error={error} onRetry={refetch} /> : null}
        {shared.length > 0 ? (
          <>
            <Typography variant="h3">{text('for_all')}</Typography>
            <Rows>
              {shared.map((snippet) => (
                <Row
                  key={snippet.id}
                  snippet={snippet}
                  canSend={canSend}
                  onSend={send}
                  {...(mayShare && {
                    onEdit: () => setEdited({ shared: snippet }),
                    onRemove: () => void removeShared(snippet),
                  })}
                />
              ))}
            </Rows>
            <Typography variant="h3" sx={{ marginTop: 2 }}>
              {text('for_me')}
            </Typography>
          </>
        ) : null}
        <Rows>
          {snippets.map((snippet) => (
            <Row
              key={snippet.name}
              snippet={snippet}
              canSend={canSend}
              onSend={send}
              onEdit={() => setEdited({ from: snippet })}
              onRemove={() => remove(snippet)}
            />
          ))}
        </Rows>
        {snippets.length + shared.length === 0 ? <Typography>{text('empty')}</Typography> : null}
        <Typography variant="body2" color="textSecondary" sx={{ marginTop: 2 }}>
          {text('storage_note')}
        </Typography>
        <HiddenFileInput ref={file} accept=".json,application/json" onChange={importFile} aria-label={text('import')} />
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
        <Button variant="contained" onClick={() => setEdited({})}>
          {text('add')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

interface RowProps {
  snippet: Snippet
  canSend: boolean
  onSend: (snippet: Snippet, runs: boolean) => void
  /** Absent for who may not change it. */
  onEdit?: () => void
  onRemove?: () => void
}

function Row({ snippet, canSend, onSend, onEdit, onRemove }: RowProps) {
  const translate = useTranslate()
  return (
    <li>
      <div>
        <strong>{snippet.name}</strong>
        <code>{snippet.text}</code>
      </div>
      <Button disabled={!canSend} onClick={() => onSend(snippet, false)}>
        {translate('app.terminal.snippets.insert')}
      </Button>
      <Button disabled={!canSend} onClick={() => onSend(snippet, true)}>
        {translate('app.terminal.snippets.run')}
      </Button>
      {onEdit ? <Button onClick={onEdit}>{translate('app.terminal.snippets.edit')}</Button> : null}
      {onRemove ? (
        <Button color="error" onClick={onRemove}>
          {translate('app.action.delete')}
        </Button>
      ) : null}
    </li>
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
