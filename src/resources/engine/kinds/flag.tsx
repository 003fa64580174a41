import CheckIcon from '@mui/icons-material/Check'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import Switch from '@mui/material/Switch'
import { useTranslate } from 'react-admin'
import { describedBy } from './FieldFrame.tsx'
import type { CellProps, FieldKind, InputProps } from './kind.ts'
import { useField } from './useField.ts'

function FlagCell({ value }: CellProps) {
  const translate = useTranslate()
  if (!value) return <span className="visually-hidden">{translate('ra.boolean.false')}</span>
  return <CheckIcon fontSize="small" color="primary" titleAccess={translate('ra.boolean.true')} />
}

/** Acts on Save, like every other field. */
function FlagInput({ field: description, label, help }: InputProps) {
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
            sx={{ marginRight: 1 }}
          />
        }
      />
      <FormHelperText id={describedBy(id)} sx={{ marginTop: 0 }}>
        {help}
      </FormHelperText>
    </div>
  )
}

export const flag: FieldKind = { Cell: FlagCell, Input: FlagInput }
