import { styled } from '@mui/material/styles'
import { useListContext } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { EmptyList } from './EmptyList.tsx'
import { LoadingRows } from './LoadingRows.tsx'
import { RecordRow } from './RecordRow.tsx'
import { SortHeading } from './SortHeading.tsx'
import { SelectAll } from './selection/SelectAll.tsx'
import { useRangeSelection } from './selection/useRangeSelection.ts'
import { useTableChoices } from './state/useTableChoices.ts'
import { useRowOpener } from './useRowOpener.ts'

const Scroller = styled('div')({ position: 'relative', overflowX: 'auto' })

const Table = styled('table')(({ theme }) => ({
  width: '100%',
  borderCollapse: 'separate',
  borderSpacing: 0,
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
  '& th, & td': {
    height: 44,
    padding: theme.spacing(0, 1.5),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    textAlign: 'left',
    whiteSpace: 'nowrap',
    maxWidth: 320,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '& th': { height: 40, color: theme.vars.palette.text.secondary, fontWeight: 600 },
  '&[data-dense=true] td': { height: 36 },
  '& .end': { textAlign: 'right' },
  // Actions stay in sight while the other columns scroll.
  '& .actions': {
    position: 'sticky',
    right: 0,
    background: theme.vars.palette.background.paper,
  },
  '& .check': { width: 40, padding: 0, textAlign: 'center' },
  '& tbody tr:last-of-type td': { borderBottom: 0 },
  '& tbody tr[data-opens]': { cursor: 'pointer' },
  '& tbody tr[data-opens]:hover, & tbody tr:focus-within': { background: theme.vars.palette.action.hover },
  '& tbody tr[aria-selected=true]': { background: theme.vars.palette.action.selected },
}))

/** A list as a table: headings that sort, checkboxes, cells by field kind, actions at the end. */
export function RecordTable() {
  const { definition, texts, translate, canSelect, hasRowActions } = useScreen()
  const { data = [], isPending, selectedIds } = useListContext()
  const { columns, isDense } = useTableChoices()
  const open = useRowOpener()
  const toggle = useRangeSelection()
  const span = columns.length + Number(canSelect) + Number(hasRowActions)
  const selected = new Set(selectedIds.map(String))
  return (
    <Scroller>
      <Table aria-label={texts.plural} data-dense={isDense}>
        <thead>
          <tr>
            {canSelect ? (
              <th className="check" scope="col">
                <SelectAll />
              </th>
            ) : null}
            {columns.map((column) => (
              <SortHeading key={column.source} column={column} text={texts.heading(column)} />
            ))}
            {hasRowActions ? (
              <th className="actions end" scope="col">
                {translate('app.list.actions')}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {data.map((record) => (
            <RecordRow
              key={record.id}
              record={record}
              columns={columns}
              nameField={definition.nameField}
              selected={selected.has(String(record.id))}
              onToggle={toggle}
              onOpen={open}
            />
          ))}
          {isPending ? <LoadingRows span={span} /> : null}
          {!isPending && data.length === 0 ? (
            <tr>
              <td colSpan={span} style={{ height: 'auto', whiteSpace: 'normal', maxWidth: 'none' }}>
                <EmptyList />
              </td>
            </tr>
          ) : null}
        </tbody>
      </Table>
    </Scroller>
  )
}
