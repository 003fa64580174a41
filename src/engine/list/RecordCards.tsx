import { styled } from '@mui/material/styles'
import { useListContext } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { EmptyList } from './EmptyList.tsx'
import { RecordCard } from './RecordCard.tsx'
import { useRowOpener } from './row/rowParts.tsx'
import { useRangeSelection } from './selection/Checkbox.tsx'
import { useTableChoices } from './state/listView.tsx'

const List = styled('ul')(({ theme }) => ({
  display: 'grid',
  // A long name is cut off, or it would make the page wider than the screen.
  gridTemplateColumns: 'minmax(0, 1fr)',
  [theme.breakpoints.up('md')]: { gridTemplateColumns: 'repeat(auto-fill, minmax(320px, 1fr))' },
  gap: theme.spacing(1),
  margin: 0,
  padding: 0,
  listStyle: 'none',
}))

/** As many as fill a phone, so that nothing below them moves when the records come. */
const loadingCards = 6

const LoadingCard = styled('li')(({ theme }) => ({
  height: 120,
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
}))

/** The same rows for narrow screens, each a card. */
export default function RecordCards() {
  const { texts, translate } = useScreen()
  const { data = [], isPending, selectedIds } = useListContext()
  const { columns } = useTableChoices()
  const toggle = useRangeSelection()
  const open = useRowOpener()
  // As high as the window: what follows the cards is not seen before them.
  if (isPending) {
    return (
      <>
        <span role="status" className="visually-hidden">
          {translate('app.list.loading')}
        </span>
        <List aria-hidden="true" style={{ minHeight: '100dvh', alignContent: 'start' }}>
          {[...Array(loadingCards).keys()].map((key) => (
            <LoadingCard key={key} />
          ))}
        </List>
      </>
    )
  }
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
