import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

/** The id of what stands between header and footer. */
export const contentId = 'content'

interface SkipLinkProps {
  /** Moves the focus. */
  onFollow: () => void
  children: ReactNode
}

/** Seen while it has the focus: takes people with a keyboard past what is between here and there. */
export function SkipLink({ onFollow, children }: SkipLinkProps) {
  return (
    <Link
      href={`#${contentId}`}
      onClick={(event) => {
        // A fragment in the address would get into links and the history.
        event.preventDefault()
        onFollow()
      }}
    >
      {children}
    </Link>
  )
}

const Link = styled('a')(({ theme }) => ({
  position: 'fixed',
  top: 8,
  left: 8,
  zIndex: theme.zIndex.tooltip,
  padding: '8px 16px',
  borderRadius: 6,
  color: theme.vars.palette.primary.contrastText,
  backgroundColor: theme.vars.palette.primary.main,
  '&:not(:focus)': { transform: 'translateY(-200%)' },
}))
