import FormHelperText from '@mui/material/FormHelperText'
import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { keysOf } from '../../../schemas/define/values.ts'
import { noteParts } from '../../../schemas/machines/publicNote.ts'
import { PublicNoteField } from './PublicNoteField.tsx'
import { type NoteKind, noteValue, type readNote, withNoteValue } from './publicNoteValues.ts'

interface PublicNoteFieldsProps {
  note: NonNullable<ReturnType<typeof readNote>>
  label: string
  help?: string
  /** @param text the whole note */
  onChange: (text: string) => void
}

/** The fields of a public note, one input each. */
export function PublicNoteFields({ note, label, help, onChange }: PublicNoteFieldsProps) {
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
