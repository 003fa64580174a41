import OutlinedInput from '@mui/material/OutlinedInput'
import type { FilterProps } from '../parts/kind.ts'

interface TextFilterProps extends Pick<FilterProps, 'id' | 'value' | 'onChange'> {
  inputMode?: 'numeric'
}

export const TextFilter = ({ id, value, onChange, inputMode }: TextFilterProps) => (
  <OutlinedInput
    id={id}
    size="small"
    value={value}
    inputMode={inputMode}
    onChange={(event) => onChange(event.target.value)}
  />
)
