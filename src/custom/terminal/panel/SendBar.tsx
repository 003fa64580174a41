import Close from '@mui/icons-material/Close'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { type KeyboardEvent, useState } from 'react'
import { useTranslate } from 'react-admin'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import { escapeControlCharacters } from '../../../domain/terminal/controlCharacters.ts'
import { isLive, type Pane, type PaneStore, paneName } from '../panes/paneStore.ts'
import { sendFieldId } from '../panes/useTerminalWorkspace.ts'
import { isMultiline, lineCount } from '../session/terminalText.ts'
import { OtherTerminals, useOtherName, useOtherTerminals } from './otherTerminals.tsx'
import { Lines } from './PasteDialog.tsx'
import { ToolbarButton } from './ToolbarButton.tsx'

interface SendBarProps {
  panes: readonly Pane[]
  store: PaneStore
  onClose: () => void
}

/** Sends the same text to several terminals. Every target is named and can be excluded. */
export function SendBar({ panes, store, onClose }: SendBarProps) {
  const translate = useTranslate()
  const [text, setText] = useState('')
  const [excluded, setExcluded] = useState<readonly number[]>([])
  const [isConfirming, setConfirming] = useState(false)
  const [isSending, setSending] = useState(false)
  const { others, typeInto } = useOtherTerminals(panes)
  const nameOther = useOtherName()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const targets = panes.filter((pane) => isLive(pane) && !excluded.includes(pane.key))
  const elsewhere = others.filter(({ id }) => chosen.includes(id))
  const count = targets.length + elsewhere.length

  const send = async () => {
    setConfirming(false)
    setSending(true)
    const typed = escapeControlCharacters(text).replace(/\r\n|\n/g, '\r')
    for (const { key } of targets) store.type(key, typed.endsWith('\r') ? typed : `${typed}\r`)
    const ids = elsewhere.map(({ id }) => id)
    const refused = await typeInto(ids, text.replace(/\r?\n$/, ''), true)
    setSending(false)
    if (refused.length > 0) {
      // What was typed stays, for those that have not got it.
      setExcluded(panes.map(({ key }) => key))
      setChosen(refused)
    } else setText((now) => (now === text ? '' : now))
  }
  const submit = () => {
    if (count === 0 || isSending) return
    if (isMultiline(text.trimEnd())) setConfirming(true)
    else void send()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && !event.shiftKey) submit()
    else return
    event.preventDefault()
  }
  const label = translate('app.terminal.send.button', { smart_count: count })
  return (
    <Bar aria-label={translate('app.terminal.send.open')}>
      <fieldset>
        <legend>{translate('app.terminal.send.to')}</legend>
        {panes.map((pane) => (
          <FormControlLabel
            key={pane.key}
            label={paneName(pane)}
            disabled={!isLive(pane)}
            control={
              <Checkbox
                checked={isLive(pane) && !excluded.includes(pane.key)}
                onChange={(_, checked) =>
                  setExcluded(checked ? excluded.filter((key) => key !== pane.key) : [...excluded, pane.key])
                }
              />
            }
          />
        ))}
      </fieldset>
      {others.length > 0 ? (
        <fieldset>
          <legend>{translate('app.terminal.send.others')}</legend>
          <OtherTerminals others={others} chosen={chosen} onChoose={setChosen} />
        </fieldset>
      ) : null}
      <div>
        <OutlinedInput
          autoFocus
          id={sendFieldId}
          multiline
          maxRows={6}
          fullWidth
          size="small"
          value={text}
          placeholder={translate('app.terminal.send.placeholder')}
          onKeyDown={onKey}
          onChange={({ target }) => setText(target.value)}
          slotProps={{ input: { 'aria-label': translate('app.terminal.send.placeholder'), spellCheck: false } }}
        />
        <Button variant="contained" disabled={count === 0} loading={isSending} onClick={submit} sx={{ flex: 'none' }}>
          {label}
        </Button>
        <ToolbarButton name={translate('app.action.close')} onClick={onClose}>
          <Close fontSize="small" />
        </ToolbarButton>
      </div>
      {isConfirming ? (
        <QuestionDialog
          title={translate('app.terminal.send.title', {
            smart_count: lineCount(text.trimEnd()),
            count,
          })}
          button={label}
          onConfirm={() => void send()}
          onCancel={() => setConfirming(false)}
        >
          <p style={{ marginTop: 0 }}>{[...targets.map(paneName), ...elsewhere.map(nameOther)].join(', ')}</p>
          <Lines>{text.trimEnd()}</Lines>
        </QuestionDialog>
      ) : null}
    </Bar>
  )
}

const Bar = styled('section')(({ theme }) => ({
  flex: 'none',
  padding: theme.spacing(0.5, 1.5, 1),
  background: theme.vars.palette.sunken,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& fieldset': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    maxHeight: 96,
    margin: 0,
    padding: 0,
    border: 0,
    overflowY: 'auto',
  },
  '& fieldset .MuiFormControlLabel-root': { marginInlineStart: 0 },
  '& fieldset .MuiCheckbox-root': { padding: 6 },
  '& legend': {
    float: 'inline-start',
    marginInlineEnd: 16,
    padding: 0,
    fontSize: 13,
    color: theme.vars.palette.text.secondary,
  },
  '& > div': { display: 'flex', alignItems: 'end', gap: 8 },
  [theme.breakpoints.down('sm')]: {
    '& > div': { flexWrap: 'wrap', justifyContent: 'flex-end' },
  },
  '& textarea': { fontFamily: theme.typography.fontFamilyMono },
}))
