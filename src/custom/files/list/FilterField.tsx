import SearchIcon from '@mui/icons-material/Search'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useTranslate } from 'react-admin'

interface FilterFieldProps {
  value: string
  onChange: (value: string) => void
}

/** Narrows the list to names that contain what is typed; Escape clears it. */
export function FilterField({ value, onChange }: FilterFieldProps) {
  const translate = useTranslate()
  return (
    <OutlinedInput
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !value) return
        event.stopPropagation()
        onChange('')
      }}
      size="small"
      type="search"
      placeholder={translate('app.files.filter')}
      startAdornment={
        <InputAdornment position="start">
          <SearchIcon fontSize="small" />
        </InputAdornment>
      }
      sx={{ flex: 'none', margin: 1, '& input': { paddingBlock: '5px' } }}
      slotProps={{ input: { 'aria-label': translate('app.files.filter') } }}
    />
  )
}
