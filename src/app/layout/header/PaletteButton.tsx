import SearchIcon from '@mui/icons-material/Search'
import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { paletteRequests } from '../../../engine/palette/shortcuts.tsx'

/** Pixels of the window from which the header has room for a field, in the language with the longest words. */
const fieldFrom = 1360

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the command palette. It looks like the field that it leads to, and says the key that does the same. */
export function PaletteButton() {
  const translate = useTranslate()
  const label = translate('app.shell.search')
  return (
    <Field
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title={label}
      onClick={() => paletteRequests.emit()}
    >
      <SearchIcon fontSize="small" />
      <span>{label}</span>
      <kbd>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
    </Field>
  )
}

const Field = styled('button')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  minWidth: 32,
  height: 32,
  padding: 6,
  border: 0,
  borderRadius: 6,
  background: 'none',
  color: theme.vars.palette.text.secondary,
  font: 'inherit',
  fontSize: 13,
  whiteSpace: 'nowrap',
  cursor: 'pointer',
  '&:hover': { background: theme.vars.palette.action.hover, color: theme.vars.palette.text.primary },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  '& svg': { flex: 'none' },
  [theme.breakpoints.down('sm')]: { minWidth: 44, height: 44, justifyContent: 'center' },
  [`@media (max-width: ${fieldFrom - 0.05}px)`]: {
    '& > span, & > kbd': { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' },
  },
  [`@media (min-width: ${fieldFrom}px)`]: {
    minWidth: 200,
    marginInlineEnd: 4,
    border: `1px solid ${theme.vars.palette.control}`,
    '& > kbd': { marginInlineStart: 'auto', fontSize: 12 },
  },
}))
