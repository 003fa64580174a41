import { describedBy, FieldFrame } from '../parts/FieldFrame.tsx'
import type { InputProps } from '../parts/kind.ts'
import { useField } from '../parts/useField.ts'
import { DateTimeBox } from './DateTimeBox.tsx'
import { zoneText } from './dateTime.ts'

/** A date with its time, and the zone in which it is shown. */
export function MomentInput({ field: description, label, help }: InputProps) {
  const { id, field, error } = useField<unknown>(description)
  return (
    <FieldFrame
      id={id}
      label={label}
      help={[help, zoneText(field.value)].filter(Boolean).join(' ')}
      required={description.required}
      error={error}
    >
      <DateTimeBox
        id={id}
        value={field.value}
        onChange={field.onChange}
        onBlur={field.onBlur}
        inputRef={field.ref}
        isRequired={description.required}
        isInvalid={Boolean(error)}
        aria-describedby={describedBy(id)}
      />
    </FieldFrame>
  )
}
