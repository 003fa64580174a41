import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { useTerminalChoices } from '../screen/choices.ts'
import { lineCount } from '../session/paste.ts'
import { Ask } from './Ask.tsx'

const linesShown = 12
const signsShown = 2_000

interface PasteQuestionProps {
  text: string
  serverName: string
  onPaste: () => void
  onCancel: () => void
}

/** Asks before text of several lines is pasted: each line may be a command that runs at once. */
export function PasteQuestion({ text, serverName, onPaste, onCancel }: PasteQuestionProps) {
  const translate = useTranslate()
  const [{ asksBeforePaste }, choose] = useTerminalChoices()
  const count = lineCount(text)
  const shown = text
    .slice(0, signsShown)
    .split(/\r\n|\r|\n/)
    .slice(0, linesShown)
  return (
    <Ask
      title={translate('app.terminal.paste.title', { smart_count: count, name: serverName })}
      button={translate('app.terminal.paste.button')}
      onYes={onPaste}
      onNo={onCancel}
    >
      <Lines>{shown.join('\n')}</Lines>
      {count > shown.length ? <p>{translate('app.list.more', { count: count - shown.length })}</p> : null}
      <p>{translate('app.terminal.paste.note')}</p>
      <FormControlLabel
        control={
          <Checkbox checked={!asksBeforePaste} onChange={(_, checked) => choose({ asksBeforePaste: !checked })} />
        }
        label={translate('app.terminal.paste.never_ask')}
      />
    </Ask>
  )
}

export const Lines = styled('pre')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(1, 1.5),
  maxHeight: '40vh',
  overflow: 'auto',
  fontSize: 13,
  background: theme.vars.palette.sunken,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
}))
