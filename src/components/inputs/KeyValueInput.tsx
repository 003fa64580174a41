import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { TextInput } from '../../engine/kinds/basicInputs.tsx'
import { FieldFrame, type InputProps, useField } from '../../engine/kinds/parts/kind.tsx'
import { parseStringMap } from '../../schemas/formats/stringMap.ts'
import { KeyValueRows } from './KeyValueRows.tsx'

/**
 * Headers or form fields: key-value pairs, stored as the text of a JSON object. Rows and JSON are two views of that text;
 * a text that is not such an object is shown as text only.
 */
export default function KeyValueInput(props: InputProps) {
  const { field: description, label, help } = props
  const translate = useTranslate()
  const { id, field, error } = useField<string>(description)
  const text = field.value ?? ''
  const pairs = parseStringMap(text)
  const [chosenView, setChosenView] = useState<'pairs' | 'text'>('pairs')
  const view = pairs ? chosenView : 'text'
  return (
    <div style={{ position: 'relative' }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={view}
        aria-label={label}
        onChange={(_, chosen: typeof view | null) => setChosenView(chosen ?? view)}
        sx={{
          // Above the label where there is no room beside it.
          position: { sm: 'absolute' },
          top: -6,
          right: 0,
          display: 'flex',
          width: 'fit-content',
          marginInlineStart: 'auto',
          '& button': { paddingBlock: 0, textTransform: 'none' },
        }}
      >
        <ToggleButton value="pairs" disabled={!pairs}>
          {translate('app.form.pairs')}
        </ToggleButton>
        <ToggleButton value="text">JSON</ToggleButton>
      </ToggleButtonGroup>
      {view === 'pairs' && pairs ? (
        <FieldFrame id={id} label={label} help={help} required={description.required} error={error}>
          <KeyValueRows id={id} text={text} label={label} onChange={field.onChange} />
        </FieldFrame>
      ) : (
        <TextInput {...props} lines={4} mono />
      )}
    </div>
  )
}
