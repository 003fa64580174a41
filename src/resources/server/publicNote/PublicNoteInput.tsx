import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import type { InputProps } from '../../../engine/kinds/parts/kind.ts'
import { useField } from '../../../engine/kinds/parts/useField.ts'
import { TextInput } from '../../../engine/kinds/TextInput.tsx'
import { PublicNoteFields } from './PublicNoteFields.tsx'
import { readNote } from './publicNoteValues.ts'

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
