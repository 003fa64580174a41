import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import Switch from '@mui/material/Switch'
import { describedBy } from './parts/FieldFrame.tsx'
import type { InputProps } from './parts/kind.ts'
import { useField } from './parts/useField.ts'

/** A switch, saved with the form like every other field. */
export function FlagInput({ field: description, label, help }: InputProps) {
  const { id, field } = useField<boolean>(description)
  const { value, onChange, ref, ...rest } = field
  return (
    <div>
      <FormControlLabel
        label={label}
        control={
          <Switch
            {...rest}
            size="small"
            checked={Boolean(value)}
            onChange={(_, checked) => onChange(checked)}
            slotProps={{ input: { id, ref, 'aria-describedby': describedBy(id) } }}
          />
        }
      />
      <FormHelperText id={describedBy(id)} sx={{ marginTop: 0 }}>
        {help}
      </FormHelperText>
    </div>
  )
}
