import { styled } from '@mui/material/styles'

/** What happened, one entry below the other: what and why at the left, when and how long at the right. */
export const EventList = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: 13,
  '& > li': {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(0.25, 2),
    paddingBlock: theme.spacing(1),
    borderTop: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
  },
  '& > li > div': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.25, 1.5), minWidth: 0 },
  '& > li > div > span': { minWidth: 0 },
  '& time': { color: theme.vars.palette.text.secondary, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
}))
