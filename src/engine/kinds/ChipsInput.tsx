import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { describedBy, FieldFrame, type InputProps, useField } from './parts/kind.tsx'

/** Pixels: hundreds of chips must not push the rest of the form out of view. */
const maxHeight = 220

/** Texts as chips; what is typed or pasted is split at commas, spaces and line ends. */
export default function ChipsInput({ field: description, label, help }: InputProps) {
  const { id, field, error } = useField<string[] | null>(description)
  const change = (items: readonly string[]) => {
    const split = items.flatMap((item) => item.split(/[\s,]+/)).filter(Boolean)
    field.onChange([...new Set(split)])
  }
  return (
    <FieldFrame id={id} label={label} help={help} required={description.required} error={error}>
      <Autocomplete
        multiple
        freeSolo
        autoSelect
        options={[]}
        id={id}
        size="small"
        value={field.value ?? []}
        onChange={(_, items) => change(items)}
        onBlur={field.onBlur}
        sx={{ '& .MuiAutocomplete-inputRoot': { maxHeight, overflowY: 'auto' } }}
        renderInput={(props) => (
          <TextField
            {...props}
            inputRef={field.ref}
            error={Boolean(error)}
            aria-describedby={describedBy(id)}
            onPaste={(event) => {
              const text = event.clipboardData.getData('text')
              if (!/[\s,]/.test(text.trim())) return
              // An input of one line would join the pasted lines.
              event.preventDefault()
              change([...(field.value ?? []), text])
            }}
          />
        )}
      />
    </FieldFrame>
  )
}
