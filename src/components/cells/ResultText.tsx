import { styled } from '@mui/material/styles'

/** A text behind a dot: green if `data-result` is `succeeded`, else red. */
export const ResultText = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  whiteSpace: 'nowrap',
  '&::before': {
    content: '""',
    flex: 'none',
    width: 8,
    height: 8,
    borderRadius: 4,
    background: theme.vars.palette.error.main,
  },
  '&[data-result=succeeded]::before': { background: theme.vars.palette.success.main },
}))
