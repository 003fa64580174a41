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
    '& > .name': { display: 'flex', alignItems: 'center', gap: 8, flex: 1, minWidth: 0 },
    '& > .name > svg': { flex: 'none', color: palette.text.secondary },
    '& > .name[data-folder=true] > svg': { color: palette.primary.main },
    '& > .name > span:last-of-type': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'pre' },
    '& button': { width: 28, height: 28 },
    '& button svg': { width: 16, height: 16, fill: 'none' },
  }
})

export const Cell = styled('span')({})
