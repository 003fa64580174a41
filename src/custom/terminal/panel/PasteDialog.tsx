import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import { useTerminalPreferences } from '../screen/useScreen.ts'
import { lineCount } from '../session/terminalText.ts'

const maxLines = 12
const maxCharacters = 2_000

interface PasteDialogProps {
  text: string
  serverName: string
  onPaste: () => void
  onCancel: () => void
}

/** Asks before text of several lines is pasted: each line may be a command that runs at once. */
export function PasteDialog({ text, serverName, onPaste, onCancel }: PasteDialogProps) {
  const translate = useTranslate()
  const [{ asksBeforePaste }, change] = useTerminalPreferences()
  const count = lineCount(text)
  const shown = text
    .slice(0, maxCharacters)
    .split(/\r\n|\r|\n/)
    .slice(0, maxLines)
  return (
    <QuestionDialog
      title={translate('app.terminal.paste.title', { smart_count: count, name: serverName })}
      button={translate('app.terminal.paste.button')}
      onConfirm={onPaste}
      onCancel={onCancel}
    >
      <Lines>{shown.join('\n')}</Lines>
      {count > shown.length ? <p>{translate('app.list.more', { count: count - shown.length })}</p> : null}
      <p>{translate('app.terminal.paste.note')}</p>
      <FormControlLabel
        control={
          <Checkbox checked={!asksBeforePaste} onChange={(_, checked) => change({ asksBeforePaste: !checked })} />
        }
        label={translate('app.terminal.paste.never_ask')}
      />
    </QuestionDialog>
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
