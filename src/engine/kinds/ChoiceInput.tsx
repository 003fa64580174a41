import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useChoiceText } from './cells.tsx'
import { describedBy, FieldFrame } from './parts/FieldFrame.tsx'
import type { InputProps } from './parts/kind.ts'
import { useField } from './parts/useField.ts'

export function ChoiceInput({ field: description, entity, label, help }: InputProps) {
  const textOf = useChoiceText(entity)
  const { id, field, error } = useField<number>(description)
  const { ref, ...rest } = field
  const codes = Object.entries(description.choices ?? {})
  const isUnknown = field.value !== undefined && !codes.some(([code]) => Number(code) === field.value)
  return (
    <FieldFrame id={id} label={label} help={help} required error={error}>
      <NativeSelect
        {...rest}
        inputRef={ref}
        input={<OutlinedInput size="small" notched={false} />}
        inputProps={{ id, 'aria-describedby': describedBy(id) }}
        onChange={(event) => field.onChange(Number(event.target.value))}
      >
        {codes.map(([code, name]) => (
          <option key={code} value={code}>
            {textOf(description.name, name, code)}
          </option>
        ))}
        {isUnknown ? <option value={field.value}>{textOf(description.name, undefined, field.value)}</option> : null}
      </NativeSelect>
    </FieldFrame>
  )
}
