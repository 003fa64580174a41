import { styled } from '@mui/material/styles'

/** Charts side by side, as many as there is room for; two on paper. */
export const ChartGrid = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 400px), 1fr))',
  gap: theme.spacing(3, 4),
  marginTop: theme.spacing(2),
  '& > *': { minWidth: 0 },
  '@media print': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
}))
