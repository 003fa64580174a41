import SearchIcon from '@mui/icons-material/Search'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import type { SxProps, Theme } from '@mui/material/styles'

interface SearchInputProps {
  value: string
  onChange: (text: string) => void
  /** Its name, and the placeholder. */
  label: string
  sx: SxProps<Theme>
  /** Further attributes of the input itself. */
  attributes?: object
}

/** A field with a magnifying glass; Escape clears it, and reaches nothing else then. */
export const SearchInput = ({ value, onChange, label, sx, attributes }: SearchInputProps) => (
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
    placeholder={label}
    startAdornment={
      <InputAdornment position="start">
        <SearchIcon fontSize="small" />
      </InputAdornment>
    }
    sx={sx}
    slotProps={{ input: { 'aria-label': label, ...attributes } }}
  />
)
