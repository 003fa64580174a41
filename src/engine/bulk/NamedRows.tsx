import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { type ReactNode, useState } from 'react'
import type { RaRecord } from 'react-admin'
import { useScreen } from '../define/screen.ts'

/** Rows that are drawn at once: ten thousand would take seconds. */
const rowsAtOnce = 100

const Table = styled('table')(({ theme }) => ({
  width: '100%',
  tableLayout: 'fixed',
  borderCollapse: 'collapse',
  fontSize: 13,
  '& caption': { padding: theme.spacing(1, 0), textAlign: 'left', fontWeight: 600 },
  '& th, & td': {
    padding: theme.spacing(0.75, 1, 0.75, 0),
    borderTop: `1px solid ${theme.vars.palette.divider}`,
    textAlign: 'left',
    verticalAlign: 'top',
    overflowWrap: 'anywhere',
  },
  '& th': { width: '34%', fontWeight: 400 },
  '& small': { marginRight: theme.spacing(1), fontSize: 13, color: theme.vars.palette.text.secondary },
}))

interface NamedRowsProps<Row> {
  caption: string
  rows: readonly Row[]
  children: (row: Row) => ReactNode
}

/** A table by the names of records, of which a hundred are shown at first. */
export function NamedRows<Row extends { record: RaRecord }>({ caption, rows, children }: NamedRowsProps<Row>) {
  const { texts, translate } = useScreen()
  const [shown, setShown] = useState(rowsAtOnce)
  if (rows.length === 0) return null
  return (
    <>
      <Table>
        <caption>{caption}</caption>
        <tbody>
          {rows.slice(0, shown).map((row) => (
            <tr key={row.record.id}>
              <th scope="row">{texts.nameOf(row.record)}</th>
              <td>{children(row)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {rows.length > shown ? (
        <Button size="small" onClick={() => setShown(shown + rowsAtOnce)}>
          {translate('app.bulk.more_rows', { shown, total: rows.length })}
        </Button>
      ) : null}
    </>
  )
}
