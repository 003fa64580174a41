import { styled } from '@mui/material/styles'

/** The list: plain elements, for a screenful of MUI components would cost more than the names. */
export const Grid = styled('div')(({ theme }) => ({
  position: 'absolute',
  inset: 0,
  overflow: 'auto',
  overscrollBehavior: 'contain',
  fontSize: 13,
  // Inside the edge of the list: a ring around it would be covered by its neighbours.
  '&&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  '& > [role=presentation]': { position: 'relative' },
  '& > .empty': { padding: '32px 16px', textAlign: 'center', color: theme.vars.palette.text.secondary },
}))

/** Widths of the columns, and from which width of the list on they are there. */
const columns = {
  '& > .size': { flex: 'none', width: 76, textAlign: 'end' },
  '& > .modified': { flex: 'none', width: 148, display: 'none' },
  '& > .owner': { flex: 'none', width: 110, display: 'none' },
  '& > .mode': { flex: 'none', width: 84, display: 'none' },
  '@container files (min-width: 500px)': { '& > .modified': { display: 'block' } },
  '@container files (min-width: 660px)': { '& > .owner': { display: 'block' } },
  '@container files (min-width: 760px)': { '& > .mode': { display: 'block' } },
} as const

const box = (color: string) => ({
  '& > input[type=checkbox]': { flex: 'none', width: 16, height: 16, margin: 0, accentColor: color },
  // For fingers.
  '@media (pointer: coarse)': { '& > input[type=checkbox]': { width: 24, height: 24 } },
})

/** The names of the columns. */
export const Header = styled('div')(({ theme }) => {
  const { palette } = theme.vars
  return {
    display: 'flex',
    alignItems: 'center',
    flex: 'none',
    gap: 8,
    height: 28,
    paddingInline: '12px 4px',
    fontSize: 12,
    borderBottom: `1px solid ${palette.divider}`,
    ...box(palette.primary.main),
    '& > button': {
      all: 'unset',
      boxSizing: 'border-box',
      flex: 1,
      minWidth: 0,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      cursor: 'pointer',
      color: palette.text.secondary,
      '&:hover': { color: palette.text.primary },
      '&:focus-visible': { outline: `2px solid ${palette.primary.main}`, outlineOffset: -2 },
    },
    '& > .end': { flex: 'none', width: 28 },
    ...columns,
  }
})

export const Row = styled('div')(({ theme }) => {
  const { palette } = theme.vars
  return {
    position: 'absolute',
    top: 0,
    left: 0,
    right: 0,
    display: 'flex',
    alignItems: 'center',
    height: 32,
    paddingInline: '12px 4px',
    cursor: 'pointer',
    '&:hover': { background: palette.sunken },
    '&[aria-selected=true]': { background: palette.action.selected },
    '&[data-active=true]': { boxShadow: `inset 2px 0 ${palette.primary.main}` },
    gap: 8,
    ...box(palette.primary.main),
    ...columns,
    '& > .size, & > .modified, & > .owner, & > .mode': {
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      fontSize: 12,
      fontVariantNumeric: 'tabular-nums',
      color: palette.text.secondary,
    },
    '& > .mode': { ...columns['& > .mode'], fontFamily: 'var(--mono)' },
    '& > .end': { flex: 'none', width: 28 },
    '& > .name': { display: 'flex', alignItems: 'center', gap: 8, flex: 1, minWidth: 0 },
    '& > .name > svg': { flex: 'none', color: palette.text.secondary },
    '& > .name[data-folder=true] > svg': { color: palette.primary.main },
    '& > .name > span:last-of-type': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'pre' },
    '& button': { width: 28, height: 28 },
    '& button svg': { width: 16, height: 16, fill: 'none' },
  }
})

export const Cell = styled('span')({})
