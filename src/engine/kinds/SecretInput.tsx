import VisibilityOffIcon from '@mui/icons-material/VisibilityOffOutlined'
import VisibilityIcon from '@mui/icons-material/VisibilityOutlined'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { describedBy, FieldFrame } from './parts/FieldFrame.tsx'
import type { InputProps } from './parts/kind.ts'
import { useField } from './parts/useField.ts'

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
