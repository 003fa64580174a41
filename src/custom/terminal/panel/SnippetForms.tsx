import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { type SubmitEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'
import type { HeldTerminal } from '../../../schemas/endpoints/terminalEndpoints.ts'
import { type Pane, paneName } from '../panes/paneStore.ts'
import { OtherTerminals, useOtherName } from './otherTerminals.tsx'
import { Lines } from './PasteDialog.tsx'
import { fillSnippet, parametersOf, type Snippet } from './snippets.ts'

/** Terminals of this window by their keys, and of others by their ids. */
export interface SnippetTargets {
  keys: readonly number[]
  others: readonly string[]
}

/** A snippet with its values, for these terminals. */
export type SendSnippet = (text: string, to: SnippetTargets, runs: boolean) => void

interface SendSnippetDialogProps {
  snippet: Snippet
  panes: readonly Pane[]
  /** Terminals in other windows. */
  others: readonly HeldTerminal[]
  activeKey: number
  onSend: SendSnippet
  onClose: () => void
}

/** Asks for the values of a snippet and for the terminals, and shows what will be typed. */
export function SendSnippetDialog({ snippet, panes, others, activeKey, onSend, onClose }: SendSnippetDialogProps) {
  const translate = useTranslate()
  const [values, setValues] = useState<Record<string, string>>({})
  const [chosen, setChosen] = useState<readonly number[]>([activeKey])
  const [chosenOthers, setChosenOthers] = useState<readonly string[]>([])
  const [asksToRun, setAsksToRun] = useState<boolean>()
  const open = panes.filter(({ state }) => state.phase === 'open')
  const targets = open.filter(({ key }) => chosen.includes(key))
  const elsewhere = others.filter(({ id }) => chosenOthers.includes(id))
  const count = targets.length + elsewhere.length
  const nameOther = useOtherName()
  const names = parametersOf(snippet.text)
  const text = fillSnippet(snippet.text, Object.fromEntries(names.map((name) => [name, values[name] || `{{${name}}}`])))
  const isComplete = count > 0 && names.every((name) => values[name])
  const send = (runs: boolean) => {
    if (count > 1 && asksToRun === undefined) return setAsksToRun(runs)
    onSend(text, { keys: targets.map(({ key }) => key), others: elsewhere.map(({ id }) => id) }, runs)
  }
  if (asksToRun !== undefined) {
    return (
      <QuestionDialog
        title={translate('app.terminal.snippets.many_title')}
        button={translate(`app.terminal.snippets.${asksToRun ? 'run' : 'insert'}`)}
        onConfirm={() => send(asksToRun)}
        onCancel={() => setAsksToRun(undefined)}
      >
        <p style={{ marginTop: 0 }}>{[...targets.map(paneName), ...elsewhere.map(nameOther)].join(', ')}</p>
        <Lines>{text}</Lines>
      </QuestionDialog>
    )
  }
  return (
    <ActionDialog title={snippet.name} width={560} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isComplete) send(false)
        }}
      >
        <DialogContent dividers>
          <Stack spacing={2}>
            {names.map((name, index) => (
              <TextField
                key={name}
                autoFocus={index === 0}
                label={name}
                value={values[name] ?? ''}
                onChange={({ target }) => setValues({ ...values, [name]: target.value })}
                slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: 'none', maxLength: 1000 } }}
              />
            ))}
            <div>
              <Typography variant="body2" color="textSecondary" gutterBottom>
                {translate('app.terminal.snippets.preview')}
              </Typography>
              <Lines>{text}</Lines>
            </div>
            {open.length + others.length > 1 ? (
              <FormControl component="fieldset">
                <FormLabel component="legend">{translate('app.terminal.send.to')}</FormLabel>
                <FormGroup row>
                  {open.map((pane) => (
                    <FormControlLabel
                      key={pane.key}
                      label={paneName(pane)}
                      control={
                        <Checkbox
                          checked={chosen.includes(pane.key)}
                          onChange={(_, checked) =>
                            setChosen(checked ? [...chosen, pane.key] : chosen.filter((key) => key !== pane.key))
                          }
                        />
                      }
                    />
                  ))}
                </FormGroup>
              </FormControl>
            ) : null}
            {others.length > 0 ? (
              <FormControl component="fieldset">
                <FormLabel component="legend">{translate('app.terminal.send.others')}</FormLabel>
                <FormGroup row>
                  <OtherTerminals others={others} chosen={chosenOthers} onChoose={setChosenOthers} />
                </FormGroup>
              </FormControl>
            ) : null}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
          <Button type="submit" disabled={!isComplete}>
            {translate('app.terminal.snippets.insert')}
          </Button>
          <Button variant="contained" disabled={!isComplete} onClick={() => send(true)}>
            {translate('app.terminal.snippets.run')}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}

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
