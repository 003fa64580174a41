import CircularProgress from '@mui/material/CircularProgress'
import Stack from '@mui/material/Stack'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'
import { useTimeout, useTranslate } from 'react-admin'
import { CopyButton } from './CopyButton.tsx'

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

/** Says that a page is loading, after a second: most pages are there before it is over. */
export function Loading() {
  const translate = useTranslate()
  const isLate = useTimeout(1000)
  if (!isLate) return <div aria-busy="true" />
  return (
    <Stack aria-busy spacing={2} sx={{ alignItems: 'center', padding: 4, color: 'text.secondary' }}>
      <CircularProgress />
      <Typography variant="h2" component="p">
        {translate('ra.page.loading')}
      </Typography>
      <Typography variant="body2">{translate('ra.message.loading')}</Typography>
    </Stack>
  )
}

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

/** A name and its value; without a value it is left out. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === null || children === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Facts, one below the other. */
export const FactList = styled('dl')(({ theme }) => ({
  margin: 0,
  fontSize: 13,
  '& > div': {
    display: 'grid',
    gridTemplateColumns: '112px minmax(0, 1fr)',
    gap: theme.spacing(1.5),
    paddingBlock: theme.spacing(0.75),
  },
  '& > div + div': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& dt': { color: theme.vars.palette.text.secondary, hyphens: 'auto' },
  '& dd': { margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line', fontVariantNumeric: 'tabular-nums' },
  '& code': { fontFamily: 'var(--mono)', fontSize: 12 },
}))

/** A text in letters of one width, with a button that copies it. @param name what it is, for the button */
export function Copied({ text, name }: { text: string; name: string }) {
  const translate = useTranslate()
  return (
    <CopyLine>
      <code>{text}</code>
      <CopyButton text={text} label={translate('app.overview.copy', { what: name })} />
    </CopyLine>
  )
}

const CopyLine = styled('span')({
  display: 'flex',
  minWidth: 0,
  alignItems: 'center',
  gap: 4,
  minHeight: 24,
  '& button': { marginBlock: -4 },
})
