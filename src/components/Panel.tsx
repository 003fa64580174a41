import { styled } from '@mui/material/styles'
import { type ReactNode, useId } from 'react'

interface PanelProps {
  title: string
  /** One sentence below the title. */
  hint?: string
  /** At the end of the title's line. */
  action?: ReactNode
  children: ReactNode
}

/** A section of a page, with its heading. */
export function Panel({ title, hint, action, children }: PanelProps) {
  const titleId = useId()
  return (
    <Frame aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{title}</h2>
        {action}
      </header>
      {hint ? <p>{hint}</p> : null}
      {children}
    </Frame>
  )
}

const Frame = styled('section')(({ theme }) => ({
  padding: theme.spacing(2, 2.5, 2.5),
  marginBottom: theme.spacing(2),
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  overflowWrap: 'anywhere',
  '& > header': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1),
    marginBottom: theme.spacing(1),
  },
  '& > header > h2': { ...theme.typography.h2, margin: 0 },
  '& > p': { margin: theme.spacing(0, 0, 1.5), maxWidth: 720, color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: { padding: theme.spacing(1.5, 1.5, 2) },
}))

/** The heading of a page other than a list. */
export const PageTitle = styled('h1')(({ theme }) => ({ ...theme.typography.h1, margin: theme.spacing(2, 0, 1.5) }))
