import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useTranslate } from 'react-admin'

interface SelectFilterProps {
  id: string
  /** Empty for any. */
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; text: string }[]
}

/** One of several values, or any. */
export function SelectFilter({ id, value, onChange, options }: SelectFilterProps) {
  const translate = useTranslate()
  return (
    <NativeSelect
      input={<OutlinedInput size="small" notched={false} />}
      inputProps={{ id }}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{translate('app.list.any')}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </NativeSelect>
  )
}
