import { styled } from '@mui/material/styles'

/** A table of old and new values side by side. */
export const ComparisonTable = styled('table')(({ theme }) => ({
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: 13,
  '& th, & td': {
    padding: theme.spacing(0.75, 1),
    textAlign: 'left',
    verticalAlign: 'top',
    overflowWrap: 'anywhere',
  },
  '& th': { fontWeight: 600 },
  '& thead th': { color: theme.vars.palette.text.secondary },
}))
