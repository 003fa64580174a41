import ArrowBack from '@mui/icons-material/ArrowBack'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { LinkBase } from 'react-admin'

/** The way back from a page, above its title. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Back to={to}>
      <ArrowBack fontSize="inherit" />
      {children}
    </Back>
  )
}

const Back = styled(LinkBase)(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: theme.spacing(0.5),
  minHeight: 24,
  [theme.breakpoints.down('sm')]: { minHeight: 44 },
  fontSize: 13,
  textDecoration: 'none',
  color: theme.vars.palette.text.secondary,
  '&:hover': { color: theme.vars.palette.text.primary, textDecoration: 'underline' },
  '@media print': { display: 'none' },
}))
