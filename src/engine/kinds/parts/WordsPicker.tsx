import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useTranslate } from 'react-admin'
import { describedBy, FieldFrame, type InputProps, useField } from './kind.tsx'
import { useTyping } from './useTyping.ts'

interface WordsPickerProps extends InputProps {
  /** The words that can be chosen, as they are stored. */
  words: readonly string[]
  /** What a word is called on screen; by default itself. */
  textOf?: (word: string) => string
  required: boolean
}

/** Several of a fixed set of words. */
export function WordsPicker({ field: description, label, help, words, textOf, required }: WordsPickerProps) {
  const translate = useTranslate()
  const { id, field, error } = useField<string[] | null>(description)
  const { isTyping, onInputChange, holdEnter } = useTyping()
  return (
    <FieldFrame id={id} label={label} help={help} required={required} error={error}>
      <Autocomplete
        id={id}
        size="small"
        multiple
        disableCloseOnSelect
        autoHighlight={isTyping}
        onInputChange={onInputChange}
        onKeyDown={holdEnter}
        options={words}
        getOptionLabel={textOf}
        value={field.value ?? []}
        noOptionsText={translate('app.list.no_results')}
        openText={translate('ra.action.open')}
        closeText={translate('ra.action.close')}
        clearText={translate('ra.action.clear_input_value')}
        onChange={(_, chosen) => field.onChange(chosen)}
        onBlur={field.onBlur}
        renderInput={(params) => (
          <TextField {...params} inputRef={field.ref} error={Boolean(error)} aria-describedby={describedBy(id)} />
        )}
      />
    </FieldFrame>
  )
}
