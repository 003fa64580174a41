import OutlinedInput from '@mui/material/OutlinedInput'
import { describedBy, FieldFrame, type InputProps, useField } from '../../engine/kinds/parts/kind.tsx'

/** A day and a time without a zone, as `2026-12-01T02:00`. */
export const LocalTimeInput = (props: InputProps) => <NativeInput {...props} type="datetime-local" />

/** A day, as `2026-12-01`. */
export const DayInput = (props: InputProps) => <NativeInput {...props} type="date" />

/** A time of day, as `09:30`. */
export const TimeOfDayInput = (props: InputProps) => <NativeInput {...props} type="time" />

/** A zone of the time zone database, with suggestions by this browser. */
export const TimeZoneInput = (props: InputProps) => <NativeInput {...props} zones />

interface NativeInputProps extends InputProps {
  type?: 'datetime-local' | 'date' | 'time'
  /** Whether to suggest time zones. */
  zones?: boolean
}

function NativeInput({ field: description, label, help, type, zones = false }: NativeInputProps) {
  const { id, field, error } = useField<string>(description, (value) => value ?? '')
  // The ref is for the input alone, so that the form focuses it and not its frame.
  const { ref, ...rest } = field
  const input = { 'aria-describedby': describedBy(id), 'aria-required': description.required }
  return (
    <FieldFrame id={id} label={label} help={help} required={description.required} error={error}>
      <OutlinedInput
        {...rest}
        inputRef={ref}
        id={id}
        type={type}
        size="small"
        error={Boolean(error)}
        autoComplete="off"
        slotProps={{ input: zones ? { ...input, list: `${id}-zones`, spellCheck: false } : input }}
      />
      {zones ? (
        <datalist id={`${id}-zones`}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      ) : null}
    </FieldFrame>
  )
}
