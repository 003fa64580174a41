import { styled } from '@mui/material/styles'
import { useListContext } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { EmptyList } from './EmptyList.tsx'
import { RecordCard } from './RecordCard.tsx'
import { useRowOpener } from './row/useRowOpener.ts'
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

/** The same rows for narrow screens, each a card. */
export function RecordCards() {
  const { texts, translate } = useScreen()
  const { data = [], isPending, selectedIds } = useListContext()
  const { columns } = useTableChoices()
  const toggle = useRangeSelection()
  const open = useRowOpener()
  if (isPending) return <p role="status">{translate('app.list.loading')}</p>
  if (data.length === 0) return <EmptyList />
  const selected = new Set(selectedIds)
  return (
    <List aria-label={texts.plural}>
      {data.map((record) => (
        <RecordCard
          key={record.id}
          record={record}
          columns={columns}
          selected={selected.has(record.id)}
          onToggle={toggle}
          onOpen={open}
        />
      ))}
    </List>
  )
}
