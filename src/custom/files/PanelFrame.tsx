import { styled } from '@mui/material/styles'

/** The panel as a whole: bars of their own height, and the list in what is left. */
export const PanelFrame = styled('section')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  flex: 1,
  minWidth: 0,
  minHeight: 0,
  height: '100%',
  background: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.primary,
  // Its place is kept, so that nothing jumps when it comes and goes.
  '& > .progress': { flex: 'none', height: 4 },
}))
