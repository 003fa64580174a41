import FormLabel from '@mui/material/FormLabel'
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { useId } from 'react'

interface PathFieldProps extends Pick<OutlinedInputProps, 'autoFocus' | 'size' | 'onFocus'> {
  label: string
  value: string
  onChange: (value: string) => void
}

/** A path on a machine, to be typed as it is. */
export function PathField({ label, onChange, ...props }: PathFieldProps) {
  const id = useId()
  return (
    <div>
      <FormLabel htmlFor={id} sx={{ display: 'block', marginBottom: 0.5, fontSize: 13, fontWeight: 600 }}>
        {label}
      </FormLabel>
      <OutlinedInput
        {...props}
        id={id}
        fullWidth
        onChange={({ target }) => onChange(target.value)}
        sx={(theme) => ({ '& input': { fontFamily: theme.typography.fontFamilyMono } })}
        slotProps={{ input: { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off' } }}
      />
    </div>
  )
}
