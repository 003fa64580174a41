import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useTranslate } from 'react-admin'
import { describedBy, FieldFrame } from '../../engine/kinds/parts/FieldFrame.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { useField } from '../../engine/kinds/parts/useField.ts'
import { useTyping } from '../../engine/kinds/parts/useTyping.ts'
import { eventTypes } from '../../schemas/webhooks/eventTypes.ts'
import { eventText } from './eventText.ts'

/** The events that a notifier group asks for. */
export default function EventsInput({ field: description, label, help }: InputProps) {
  const translate = useTranslate()
  const { id, field, error } = useField<string[] | null>(description)
  const { isTyping, onInputChange, holdEnter } = useTyping()
  return (
    <FieldFrame id={id} label={label} help={help} required={description.required} error={error}>
      <Autocomplete
        id={id}
        size="small"
        multiple
        disableCloseOnSelect
        autoHighlight={isTyping}
        onInputChange={onInputChange}
        onKeyDown={holdEnter}
        options={eventTypes as readonly string[]}
        getOptionLabel={(type) => eventText(type, translate)}
        value={field.value ?? []}
        noOptionsText={translate('app.list.no_results')}
        openText={translate('ra.action.open')}
        closeText={translate('ra.action.close')}
        clearText={translate('ra.action.clear_input_value')}
        onChange={(_, types) => field.onChange(types)}
        onBlur={field.onBlur}
        renderInput={(params) => (
          <TextField {...params} inputRef={field.ref} error={Boolean(error)} aria-describedby={describedBy(id)} />
        )}
      />
    </FieldFrame>
  )
}
