import { styled } from '@mui/material/styles'
import { RecordContextProvider, useListContext } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { EmptyList } from './EmptyList.tsx'
import { FieldCell } from './FieldCell.tsx'
import { NameLink } from './NameLink.tsx'
import { RowActions } from './RowActions.tsx'
import { Checkbox } from './selection/Checkbox.tsx'
import { useRangeSelection } from './selection/useRangeSelection.ts'
import { useTableChoices } from './state/useTableChoices.ts'

const List = styled('ul')(({ theme }) => ({
  display: 'grid',
  // A long name is cut off, or it would make the page wider than the screen.
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(1),
  margin: 0,
  padding: 0,
  listStyle: 'none',
}))

const Card = styled('li')(({ theme }) => ({
  padding: theme.spacing(0.5, 1, 1.5),
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
  '& header': { display: 'flex', alignItems: 'center', gap: theme.spacing(0.5), fontSize: 15 },
  '& header > .name': { flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& dl': {
    display: 'grid',
    gridTemplateColumns: 'fit-content(50%) minmax(0, 1fr)',
    gap: theme.spacing(0.75, 2),
    margin: theme.spacing(0.5, 1, 0),
    alignItems: 'center',
  },
  '& dt': { color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' },
}))

/** The same rows for narrow screens: name and actions on top, every other column as a line with its heading. */
export function RecordCards() {
  const { definition, texts, translate, allowed, canSelect } = useScreen()
  const { data = [], isPending, selectedIds } = useListContext()
  const toggle = useRangeSelection()
  const { nameField } = definition
  const { columns } = useTableChoices()
  if (isPending) return <p role="status">{translate('app.list.loading')}</p>
  if (data.length === 0) return <EmptyList />
  return (
    <List aria-label={texts.plural}>
      {data.map((record) => (
        <RecordContextProvider key={record.id} value={record}>
          <Card data-row>
            <header>
              {canSelect ? (
                <Checkbox
                  label={translate('app.list.select_row', { name: texts.nameOf(record) })}
                  checked={selectedIds.includes(record.id)}
                  onChange={(event) => toggle(record.id, (event.nativeEvent as MouseEvent).shiftKey)}
                />
              ) : null}
              <span className="name">
                {allowed('update') ? <NameLink>{texts.nameOf(record)}</NameLink> : texts.nameOf(record)}
              </span>
              <RowActions />
            </header>
            <dl>
              {columns
                .filter(({ source }) => source !== nameField)
                .map((column) => [
                  <dt key={`${column.source} heading`}>{texts.heading(column)}</dt>,
                  <dd key={column.source}>{column.Cell ? <column.Cell /> : <FieldCell source={column.source} />}</dd>,
                ])}
            </dl>
          </Card>
        </RecordContextProvider>
      ))}
    </List>
  )
}
