import OutlinedInput from '@mui/material/OutlinedInput'
import { asText } from './cells.tsx'
import { describedBy, FieldFrame } from './parts/FieldFrame.tsx'
import type { InputProps } from './parts/kind.ts'
import { useField } from './parts/useField.ts'

interface TextInputProps extends InputProps {
  lines?: number
  inputMode?: 'url' | 'numeric' | 'decimal'
  mono?: boolean
  /** Whether a value stands in for an empty input, which is then not marked as optional. */
  hasDefault?: boolean
  format?: (value: unknown) => string
}

export function TextInput({
  field: description,
  label,
  help,
  lines,
  inputMode,
  mono,
  hasDefault = false,
  format = asText,
}: TextInputProps) {
  const { id, field, error } = useField<unknown>(description, format)
  // The ref is for the input alone, so that the form focuses it and not its frame.
  const { ref, ...rest } = field
  return (
    <FieldFrame id={id} label={label} help={help} required={description.required || hasDefault} error={error}>
      <OutlinedInput
        {...rest}
        inputRef={ref}
        id={id}
        size="small"
        error={Boolean(error)}
        multiline={lines !== undefined}
        minRows={lines}
        maxRows={12}
        sx={mono ? { fontFamily: 'monospace' } : undefined}
        slotProps={{ input: { 'aria-describedby': describedBy(id), 'aria-required': description.required, inputMode } }}
      />
    </FieldFrame>
  )
}
