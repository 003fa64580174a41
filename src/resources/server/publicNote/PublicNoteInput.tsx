import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import Switch from '@mui/material/Switch'
import { styled } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useId, useState } from 'react'
import { useTranslate } from 'react-admin'
import { TextInput } from '../../../engine/kinds/basicInputs.tsx'
import { type InputProps, useField } from '../../../engine/kinds/parts/kind.tsx'
import { keysOf } from '../../../schemas/define/values.ts'
import { noteParts } from '../../../schemas/machines/publicNote.ts'
import {
  dayOf,
  type NoteKind,
  noExpiry,
  noteChoices,
  noteValue,
  onDay,
  readNote,
  withNoteValue,
} from './publicNoteValues.ts'

/**
 * A public note, as a form if it has the known shape, and always as text. Both edit the same value; a text of any other
 * kind is kept unchanged.
 */
export default function PublicNoteInput(props: InputProps) {
  const translate = useTranslate()
  const { field } = useField<string | undefined>(props.field)
  const text = field.value ?? ''
  const note = readNote(text)
  const [wantsForm, setWantsForm] = useState(text.trim() !== '')
  const isForm = wantsForm && note !== undefined
  return (
    <div style={{ position: 'relative' }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-label={translate('app.public_note.view')}
        value={isForm ? 'form' : 'text'}
        onChange={(_, view) => view && setWantsForm(view === 'form')}
        // Above the label's row, which takes the whole width.
        sx={{ position: 'absolute', zIndex: 1, right: 0, top: -6 }}
      >
        <ToggleButton value="form" disabled={!note} sx={{ paddingY: 0 }}>
          {translate('app.public_note.form')}
        </ToggleButton>
        <ToggleButton value="text" sx={{ paddingY: 0 }}>
          {translate('app.public_note.text')}
        </ToggleButton>
      </ToggleButtonGroup>
      {isForm ? (
        <PublicNoteFields note={note} label={props.label} help={props.help} onChange={field.onChange} />
      ) : (
        <TextInput
          {...props}
          lines={3}
          help={note ? props.help : [props.help, translate('app.public_note.free')].filter(Boolean).join(' ')}
        />
      )}
    </div>
  )
}

interface PublicNoteFieldsProps {
  note: NonNullable<ReturnType<typeof readNote>>
  label: string
  help?: string
  /** @param text the whole note */
  onChange: (text: string) => void
}

/** The fields of a public note, one input each. */
function PublicNoteFields({ note, label, help, onChange }: PublicNoteFieldsProps) {
  const translate = useTranslate()
  return (
    <Group>
      <legend>{label}</legend>
      {keysOf(noteParts).map((part) => (
        <fieldset key={part}>
          <legend>{translate(`app.public_note.parts.${part}`)}</legend>
          {Object.entries(noteParts[part]).map(([key, kind]) => (
            <PublicNoteField
              key={key}
              kind={kind as NoteKind}
              label={translate(`app.public_note.fields.${key}`)}
              value={noteValue(note, part, key)}
              onChange={(value) => onChange(withNoteValue(note, part, key, value))}
            />
          ))}
        </fieldset>
      ))}
      <FormHelperText sx={{ marginX: 0 }}>{help}</FormHelperText>
    </Group>
  )
}

const Group = styled('fieldset')(({ theme }) => ({
  margin: 0,
  padding: 0,
  border: 0,
  minWidth: 0,
  '& > legend': { padding: 0, fontSize: 13, fontWeight: 600 },
  '& > fieldset': {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(200px, 1fr))',
    alignItems: 'start',
    gap: theme.spacing(1.5),
    margin: theme.spacing(1, 0),
    padding: theme.spacing(1, 1.5, 1.5),
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: theme.shape.borderRadius,
    minWidth: 0,
    '& > legend': { fontSize: 12, color: theme.vars.palette.text.secondary },
  },
}))

interface PublicNoteFieldProps {
  kind: NoteKind
  label: string
  value: string
  onChange: (value: string) => void
}

/** One field of a public note. Values that the input cannot represent are shown as text. */
function PublicNoteField(props: PublicNoteFieldProps) {
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
