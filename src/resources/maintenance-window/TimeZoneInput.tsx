import OutlinedInput from '@mui/material/OutlinedInput'
import { describedBy, FieldFrame } from '../../engine/kinds/parts/FieldFrame.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { useField } from '../../engine/kinds/parts/useField.ts'
import WindowPreview from './WindowPreview.tsx'

/** A zone of the time zone database, with suggestions by this browser; below it, the next times of the window. */
export default function TimeZoneInput({ field: description, label, help }: InputProps) {
  const { id, field, error } = useField<string>(description, (value) => value ?? '')
  // The ref is for the input alone, so that the form focuses it and not its frame.
  const { ref, ...rest } = field
  return (
    <div>
      <FieldFrame id={id} label={label} help={help} required={description.required} error={error}>
        <OutlinedInput
          {...rest}
          inputRef={ref}
          id={id}
          size="small"
          error={Boolean(error)}
          autoComplete="off"
          slotProps={{ input: { 'aria-describedby': describedBy(id), list: `${id}-zones`, spellCheck: false } }}
        />
      </FieldFrame>
      <datalist id={`${id}-zones`}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <div role="status">
        <WindowPreview />
      </div>
    </div>
  )
}
