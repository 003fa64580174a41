import { styled, type Theme } from '@mui/material/styles'
import { LinkBase } from 'react-admin'

const square = ({ theme }: { theme: Theme }) =>
  ({
    all: 'unset',
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    width: 32,
    height: 32,
    borderRadius: theme.shape.borderRadius,
    color: theme.vars.palette.text.secondary,
    cursor: 'pointer',
    '&:hover': { background: theme.vars.palette.action.hover, color: theme.vars.palette.text.primary },
    '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
    '& svg': { width: 18, height: 18, fill: 'currentColor' },
  }) as const

/** A small square button that shows an icon; its name is its `aria-label`. Lighter than MUI's, for tables. */
export const IconAction = styled('button')(square)

/** The same as a link. */
export const IconLink = styled(LinkBase)(square)
