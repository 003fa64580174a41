import { styled } from '@mui/material/styles'

/** The output of a program, as it is. */
export const Output = styled('pre')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(1.5),
  maxHeight: 'max(320px, calc(100vh - 300px))',
  overflow: 'auto',
  fontFamily: 'var(--mono)',
  fontSize: 12,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  background: theme.vars.palette.sunken,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
}))
