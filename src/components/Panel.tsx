import CircularProgress from '@mui/material/CircularProgress'
import Stack from '@mui/material/Stack'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { type Key, type ReactNode, useId } from 'react'
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

const Table = styled('table')(({ theme }) => ({
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: 13,
  '& th, & td': { padding: theme.spacing(0.75, 1), textAlign: 'left', verticalAlign: 'top', overflowWrap: 'anywhere' },
  '& th:first-of-type, & td:first-of-type': { paddingLeft: 0 },
  '& thead th': { fontWeight: 600, whiteSpace: 'nowrap', color: theme.vars.palette.text.secondary },
  '& tbody tr': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& th:last-of-type, & td:last-of-type, & [data-number]': { textAlign: 'right', whiteSpace: 'nowrap' },
  '& td[data-number]': { fontVariantNumeric: 'tabular-nums' },
  // Side by side the columns would not fit: each row is a block of lines, with the heading before each value.
  [theme.breakpoints.down('sm')]: {
    '& thead': { display: 'none' },
    '&, & tbody, & tr': { display: 'block' },
    '& tbody tr': { paddingBlock: theme.spacing(1) },
    '& td, & td:last-of-type, & td[data-number]': {
      display: 'grid',
      gridTemplateColumns: 'minmax(96px, 1fr) 2fr',
      gap: theme.spacing(1),
      padding: theme.spacing(0.25, 0),
      textAlign: 'left',
      whiteSpace: 'normal',
    },
    '& td::before': { content: 'attr(data-heading)', fontWeight: 600, color: theme.vars.palette.text.secondary },
    '& td > *': { minWidth: 0, justifySelf: 'start' },
  },
}))

/** The heading of a column, '' for one of buttons; numbers stand at the right. */
export type Heading = string | { heading: string; isNumber: true }

/** The heading of a column of numbers. */
export const numbers = (heading: string): Heading => ({ heading, isNumber: true })

const textOf = (heading: Heading) => (typeof heading === 'string' ? heading : heading.heading)
/** What the style goes by; absent on a column of text. */
const isNumber = (heading: Heading) => (typeof heading === 'string' ? undefined : true)

interface PlainTableProps {
  headings: readonly Heading[]
  rows: readonly { key: Key; cells: readonly ReactNode[] }[]
}

/** A small table without sorting and filters. */
export const PlainTable = ({ headings, rows }: PlainTableProps) => (
  <Table>
    <thead>
      <tr>
        {headings.map((heading) => (
          <th key={textOf(heading)} scope="col" data-number={isNumber(heading)}>
            {textOf(heading)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, cells }) => (
        <tr key={key}>
          {headings.map((heading, column) => (
            <td key={textOf(heading)} data-heading={textOf(heading)} data-number={isNumber(heading)}>
              <div>{cells[column]}</div>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </Table>
)
