import FormControlLabel from '@mui/material/FormControlLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Switch from '@mui/material/Switch'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { describedBy, FieldFrame } from '../../engine/kinds/parts/FieldFrame.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { useField } from '../../engine/kinds/parts/useField.ts'
import { usePeerAddress } from '../../schemas/settings/siteSetting.ts'

/** The header in which a proxy sends the visitor's address, or a switch for the connection's own peer address. */
export function RealIpInput({ field: description, label, help }: InputProps) {
  const translate = useTranslate()
  const { id, field, error } = useField(description)
  const { ref, value, ...rest } = field
  const isDirect = value === usePeerAddress
  // Switching on and off restores the typed text.
  const [typed, setTyped] = useState(isDirect ? '' : value)
  return (
    <FieldFrame id={id} label={label} help={help} required={false} error={error}>
      <OutlinedInput
        {...rest}
        value={isDirect ? '' : (value ?? '')}
        onChange={(event) => {
          setTyped(event.target.value)
          field.onChange(event.target.value)
        }}
        disabled={isDirect}
        inputRef={ref}
        id={id}
        size="small"
        placeholder="X-Real-IP"
        error={Boolean(error)}
        sx={{ fontFamily: 'monospace' }}
        slotProps={{ input: { 'aria-describedby': describedBy(id), autoCapitalize: 'off', spellCheck: false } }}
      />
      <FormControlLabel
        label={translate('app.site.direct_ip')}
        control={
          <Switch
            size="small"
            checked={isDirect}
            onChange={(_, on) => field.onChange(on ? usePeerAddress : typed)}
            slotProps={{ input: { 'aria-label': translate('app.site.direct_ip_for', { setting: label }) } }}
          />
        }
        sx={{ marginTop: 0.5 }}
      />
    </FieldFrame>
  )
}
