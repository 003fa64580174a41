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

/** One field of a public note. Values that the input cannot represent are shown as text. */
export function PublicNoteField(props: PublicNoteFieldProps) {
  const { kind, label, value, onChange } = props
  const translate = useTranslate()
  const id = useId()
  if (kind === 'flag' && ['', '0', '1'].includes(value)) {
    return <LabelledSwitch label={label} checked={value === '1'} onChange={(on) => onChange(on ? '1' : '0')} />
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
          value={isDate(kind) && isDay(value) ? dayOf(value) : value}
          onChange={({ target }) => onChange(isDate(kind) && isDay(value) ? onDay(value, target.value) : target.value)}
        />
      )}
      {kind === 'end' ? (
        <LabelledSwitch
          label={translate('app.public_note.no_expiry')}
          checked={isEndless}
          onChange={(on) => onChange(on ? noExpiry : '')}
        />
      ) : null}
    </div>
  )
}

const isDate = (kind: NoteKind) => kind === 'date' || kind === 'end'

/** Whether a date input can show the value without losing anything. */
const isDay = (value: string) => value === '' || value === noExpiry || dayOf(value) !== ''

function LabelledSwitch({
  label,
  checked,
  onChange,
}: {
  label: string
  checked: boolean
  onChange: (on: boolean) => void
}) {
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
