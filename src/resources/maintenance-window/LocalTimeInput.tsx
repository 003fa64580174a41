import OutlinedInput from '@mui/material/OutlinedInput'
import { describedBy, FieldFrame } from '../../engine/kinds/parts/FieldFrame.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { useField } from '../../engine/kinds/parts/useField.ts'

/** A day and a time without a zone, as `2026-12-01T02:00`. */
export default function LocalTimeInput({ field: description, label, help }: InputProps) {
  const { id, field, error } = useField<string>(description, (value) => value ?? '')
  // The ref is for the input alone, so that the form focuses it and not its frame.
  const { ref, ...rest } = field
  return (
    <FieldFrame id={id} label={label} help={help} required={description.required} error={error}>
      <OutlinedInput
        {...rest}
        inputRef={ref}
        id={id}
        type="datetime-local"
        size="small"
        error={Boolean(error)}
        slotProps={{ input: { 'aria-describedby': describedBy(id), 'aria-required': description.required } }}
      />
    </FieldFrame>
  )
}
