import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import FormLabel from '@mui/material/FormLabel'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
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
