import { styled } from '@mui/material/styles'
import type { Key, ReactNode } from 'react'

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
