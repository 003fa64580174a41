import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId, useState } from 'react'
import { type RaRecord, useTranslate } from 'react-admin'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { useLostConnection } from '../../components/useLostConnection.ts'
import { useScreen } from '../define/screen.ts'
import { MoreNames } from '../parts/MoreNames.tsx'

const namesShown = 5
/** Above this many records their number has to be typed, so that one wrong click is not enough. */
const typedAbove = 20

interface ConfirmDialogProps {
  /** The question, already translated. */
  question: string
  /** The button's text, which repeats the verb of the question. */
  label: string
  /** Consequences, beside whether it can be undone. */
  note?: string
  /** How it can be taken back, and what cannot; left out: not at all. */
  reversible?: readonly string[]
  /** Something that a person has to agree to first. */
  warning?: { text: string; consent: string }
  records: readonly RaRecord[]
  /** How many of the records are on other pages of the list. */
  onOtherPages?: number
  /** How many of them the list's search and filters no longer match: these are on no page. */
  filteredOut?: number
  /** More consequences, below the note. */
  children?: ReactNode
  busy: boolean
  /** Whether the person was told that there is no answer: then it can be left. */
  isLate: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before a deletion and the like: names the records and the consequences. */
export default function ConfirmDialog({
  question,
  label,
  note,
  reversible,
  warning,
  records,
  onOtherPages = 0,
  filteredOut = 0,
  children,
  busy,
  isLate,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const translate = useTranslate()
  const { texts } = useScreen()
  const titleId = useId()
  const textId = useId()
  const numberId = useId()
  const [typed, setTyped] = useState('')
  const more = records.length - namesShown
  const mustType = records.length > typedAbove
  const [consents, setConsents] = useState(false)
  const isSure = (!mustType || typed.trim() === String(records.length)) && (!warning || consents)
  const isHeld = busy && !isLate
  return (
    <Dialog
      open
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      maxWidth="xs"
      fullWidth
      onClose={isHeld ? undefined : onClose}
    >
      <DialogTitle id={titleId}>{question}</DialogTitle>
      <DialogContent id={textId}>
        {records.length > 1 ? (
          <ul style={{ margin: '0 0 12px', paddingLeft: 20, overflowWrap: 'anywhere' }}>
            {records.slice(0, namesShown).map((record) => (
              <li key={record.id}>{texts.nameOf(record)}</li>
            ))}
            {more > 0 ? (
              <li>
                <MoreNames
                  label={texts.plural}
                  names={() => records.map((record) => ({ id: record.id, name: texts.nameOf(record) }))}
                  count={more}
                />
              </li>
            ) : null}
          </ul>
        ) : null}
        {onOtherPages > 0 ? (
          <Typography sx={{ marginBottom: 1 }}>
            {translate('app.confirm.elsewhere', { smart_count: onOtherPages })}
          </Typography>
        ) : null}
        {filteredOut > 0 ? (
          <Typography sx={{ marginBottom: 1 }}>
            {translate('app.confirm.filtered_out', { smart_count: filteredOut })}
          </Typography>
        ) : null}
        {(reversible ?? [translate('app.confirm.irreversible')]).map((text) => (
          <Typography key={text}>{text}</Typography>
        ))}
        {note ? (
          <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1 }}>
            {note}
          </Typography>
        ) : null}
        {children}
        <LostNote />
        {warning ? (
          <Alert severity="error" sx={{ marginTop: 2 }}>
            {warning.text}
            <FormControlLabel
              label={warning.consent}
              control={<Checkbox checked={consents} onChange={(_, checked) => setConsents(checked)} />}
              sx={{ display: 'flex', marginTop: 1 }}
            />
          </Alert>
        ) : null}
        {mustType ? (
          <FormLabel htmlFor={numberId} sx={{ display: 'block', marginTop: 2 }}>
            {translate('app.confirm.type_number', { number: records.length })}
            <OutlinedInput
              id={numberId}
              size="small"
              fullWidth
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              inputMode="numeric"
              sx={{ marginTop: 0.5 }}
            />
          </FormLabel>
        ) : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={isHeld} autoFocus sx={{ flexShrink: 0 }}>
          {translate('app.action.cancel')}
        </Button>
        <Button
          onClick={onConfirm}
          disabled={!isSure}
          loading={busy}
          color="error"
          variant="contained"
          sx={{ minWidth: 0, whiteSpace: 'normal', overflowWrap: 'anywhere' }}
        >
          {label}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** While the connection is dead, what the question is about may be different by now. */
function LostNote() {
  const { locale, translate } = useLanguage()
  const lost = useLostConnection()
  if (!lost) return null
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(lost.since)
  return (
    <Alert severity="warning" sx={{ marginTop: 2 }}>
      {translate('app.confirm.lost', { time })}
    </Alert>
  )
}
