import { styled } from '@mui/material/styles'

/** The row of controls above a chart. */
export const ChartToolbar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(1.5),
  marginBottom: theme.spacing(2),
}))
