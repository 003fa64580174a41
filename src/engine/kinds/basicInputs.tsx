import VisibilityOffIcon from '@mui/icons-material/VisibilityOffOutlined'
import VisibilityIcon from '@mui/icons-material/VisibilityOutlined'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import Switch from '@mui/material/Switch'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { asText, useChoiceText } from './cells.tsx'
import { describedBy, FieldFrame, type InputProps, useField } from './parts/kind.tsx'

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

export function SecretInput({ field: description, label, help }: InputProps) {
  const translate = useTranslate()
  // A new record has no value of a field that only newer servers have.
  const { id, field, error } = useField(description, (value: string | undefined) => value ?? '')
  const { ref, ...rest } = field
  const [shown, setShown] = useState(false)
  return (
    <FieldFrame id={id} label={label} help={help} required={description.required} error={error}>
      <OutlinedInput
        {...rest}
        inputRef={ref}
        id={id}
        size="small"
        type={shown ? 'text' : 'password'}
        error={Boolean(error)}
        slotProps={{ input: { 'aria-describedby': describedBy(id), autoComplete: 'new-password' } }}
        endAdornment={
          <InputAdornment position="end">
            <IconButton
              size="small"
              aria-label={translate(shown ? 'app.form.hide_secret' : 'app.form.show_secret')}
              onClick={() => setShown(!shown)}
            >
              {shown ? <VisibilityOffIcon fontSize="small" /> : <VisibilityIcon fontSize="small" />}
            </IconButton>
          </InputAdornment>
        }
      />
    </FieldFrame>
  )
}
