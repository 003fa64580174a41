import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import Switch from '@mui/material/Switch'
import { useId } from 'react'
import { useTranslate } from 'react-admin'
import { dayOf, type NoteKind, noExpiry, noteChoices, onDay } from './publicNoteValues.ts'

interface PublicNoteFieldProps {
  kind: NoteKind
  label: string
  value: string
  onChange: (value: string) => void
}

/** One value of a public note. What an input cannot show is shown as the text it is. */
export function PublicNoteField(props: PublicNoteFieldProps) {
  const { kind, label, value, onChange } = props
  const translate = useTranslate()
  const id = useId()
  if (kind === 'flag' && ['', '0', '1'].includes(value)) {
    return <Tick label={label} checked={value === '1'} onChange={(on) => onChange(on ? '1' : '0')} />
  }
  const isEndless = kind === 'end' && value === noExpiry
  return (
    <div>
      <FormLabel htmlFor={id} sx={{ display: 'block', marginBottom: 0.5, fontSize: 13 }}>
        {label}
      </FormLabel>
      {kind === 'cycle' || kind === 'traffic' ? (
        <Choice {...props} kind={kind} id={id} />
      ) : (
        <OutlinedInput
          id={id}
          size="small"
          fullWidth
          disabled={isEndless}
          type={(kind === 'date' || kind === 'end') && isDay(value) ? 'date' : 'text'}
          value={isMoment(kind) && isDay(value) ? dayOf(value) : value}
          onChange={({ target }) =>
            onChange(isMoment(kind) && isDay(value) ? onDay(value, target.value) : target.value)
          }
        />
      )}
      {kind === 'end' ? (
        <Tick
          label={translate('app.public_note.no_expiry')}
          checked={isEndless}
          onChange={(on) => onChange(on ? noExpiry : '')}
        />
      ) : null}
    </div>
  )
}

const isMoment = (kind: NoteKind) => kind === 'date' || kind === 'end'

/** Whether a date input can show a value without losing it. */
const isDay = (value: string) => value === '' || value === noExpiry || dayOf(value) !== ''

function Tick({ label, checked, onChange }: { label: string; checked: boolean; onChange: (on: boolean) => void }) {
  return (
    <FormControlLabel
      label={label}
      control={<Switch size="small" checked={checked} onChange={(_, on) => onChange(on)} sx={{ marginRight: 1 }} />}
    />
  )
}

function Choice({ kind, id, value, onChange }: PublicNoteFieldProps & { kind: keyof typeof noteChoices; id: string }) {
  const translate = useTranslate()
  const choices = Object.entries(noteChoices[kind])
  const isUnknown = value !== '' && !choices.some(([code]) => code === value)
  return (
    <NativeSelect
      fullWidth
      value={value}
      onChange={({ target }) => onChange(target.value)}
      input={<OutlinedInput size="small" notched={false} />}
      inputProps={{ id }}
    >
      <option value="">–</option>
      {choices.map(([code, name]) => (
        <option key={code} value={code}>
          {translate(`app.public_note.choices.${name}`)}
        </option>
      ))}
      {isUnknown ? <option value={value}>{value}</option> : null}
    </NativeSelect>
  )
}
