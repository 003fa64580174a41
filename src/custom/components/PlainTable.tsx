import { styled } from '@mui/material/styles'

const Scroller = styled('div')({ overflowX: 'auto' })

const Table = styled('table')(({ theme }) => ({
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: 13,
  '& th, & td': { padding: theme.spacing(0.75, 1), textAlign: 'left', verticalAlign: 'top' },
  '& th:first-of-type, & td:first-of-type': { paddingLeft: 0 },
  '& thead th': { fontWeight: 600, whiteSpace: 'nowrap', color: theme.vars.palette.text.secondary },
  '& tbody tr': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& th:last-of-type, & td:last-of-type': { textAlign: 'right', whiteSpace: 'nowrap' },
}))

/** A small table without sorting and filters. @param headings of the columns; '' for a column of buttons */
export function PlainTable({ headings, children }: { headings: readonly string[]; children: React.ReactNode }) {
  return (
    <Scroller>
      <Table>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </Table>
    </Scroller>
  )
}
