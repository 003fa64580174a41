import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import { type SubmitEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import type { Snippet } from './snippets.ts'

interface SnippetFormProps {
  /** The one that is changed; none for a new one. */
  snippet?: Snippet
  /** Whether it can be for everybody; absent where that cannot be chosen. */
  isShared?: boolean
  onSave: (snippet: Snippet, isShared: boolean) => void
  onClose: () => void
}

/** Name and text of one snippet. */
export function SnippetForm({ snippet, isShared, onSave, onClose }: SnippetFormProps) {
  const translate = useTranslate()
  const [name, setName] = useState(snippet?.name ?? '')
  const [text, setText] = useState(snippet?.text ?? '')
  const [isForAll, setForAll] = useState(isShared ?? false)
  const [isTried, setTried] = useState(false)
  const missing = { name: name.trim() === '', text: text === '' }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (!missing.name && !missing.text) onSave({ name: name.trim(), text }, isForAll)
  }
  const required = translate('validation.required')
  return (
    <ActionDialog
      title={translate(`app.terminal.snippets.${snippet ? 'edit_title' : 'add'}`)}
      width={560}
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate>
        <DialogContent>
          <Stack spacing={2}>
            <TextField
              autoFocus
              label={translate('app.terminal.snippets.name')}
              value={name}
              onChange={({ target }) => setName(target.value)}
              error={isTried && missing.name}
              helperText={isTried && missing.name ? required : undefined}
            />
            <TextField
              multiline
              minRows={3}
              maxRows={12}
              label={translate('app.terminal.snippets.text')}
              value={text}
              onChange={({ target }) => setText(target.value)}
              error={isTried && missing.text}
              helperText={
                isTried && missing.text
                  ? required
                  : translate('app.terminal.snippets.parameters', { parameter: '{{name}}' })
              }
              slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: 'monospace' } } }}
            />
            {isShared === undefined ? null : (
              <RadioGroup
                row
                aria-label={translate('app.terminal.snippets.for')}
                value={String(isForAll)}
                onChange={(_, value) => setForAll(value === 'true')}
              >
                {[false, true].map((value) => (
                  <FormControlLabel
                    key={String(value)}
                    value={String(value)}
                    control={<Radio size="small" />}
                    label={translate(`app.terminal.snippets.${value ? 'for_all' : 'for_me'}`)}
                  />
                ))}
              </RadioGroup>
            )}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('app.action.save')}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}
