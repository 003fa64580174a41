import { styled } from '@mui/material/styles'
import { memo, useId, useState } from 'react'
import { type RaRecord, RecordContextProvider, useListContext } from 'react-admin'
import type { Column } from '../define/defineResource.ts'
import { useScreen } from '../define/screen.ts'
import { IconAction, LineIcon } from '../parts/LineIcon.tsx'
import { EmptyList } from './EmptyList.tsx'
import { FieldCell, NameLink, type OpenRow, RowActions, useRowOpener } from './row/rowParts.tsx'
import { Checkbox, type ToggleRow, useRangeSelection } from './selection/Checkbox.tsx'
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

interface RecordCardProps {
  record: RaRecord
  /** The columns that this person has chosen. */
  columns: readonly Column[]
  selected: boolean
  onToggle: ToggleRow
  /** Absent where the record cannot be opened. */
  onOpen?: OpenRow
}

/**
 * One record on a narrow screen. Where the definition has a `card`, it has three lines, and a button unfolds the other
 * columns; else every column is a line with its heading.
 */
const RecordCard = memo(function RecordCard({ record, columns, selected, onToggle, onOpen }: RecordCardProps) {
  const { columns: all, definition, texts, translate, canOpen, canSelect } = useScreen()
  const [isUnfolded, setUnfolded] = useState(false)
  const detailsId = useId()
  const name = texts.nameOf(record)
  const { card, entity } = definition
  const among = (sources: readonly string[] = []) => all.filter(({ source }) => sources.includes(source))
  const shown = new Set([entity.nameField, ...(card?.beside ?? []), ...(card?.metrics ?? [])])
  const nameColumn = all.find(({ source }) => source === entity.nameField)
  const details = columns.filter(({ source }) => !shown.has(source))
  return (
    <RecordContextProvider value={record}>
      <Card
        data-row={record.id}
        data-selected={selected}
        data-opens={onOpen ? '' : undefined}
        onClick={(event) => onOpen?.(event, record)}
      >
        <header>
          {canSelect ? (
            <Checkbox
              label={translate('app.list.select_row', { name })}
              checked={selected}
              onChange={(event) => onToggle(record.id, (event.nativeEvent as MouseEvent).shiftKey)}
            />
          ) : null}
          <span className="name">
            {canOpen || !nameColumn ? <NameLink>{name}</NameLink> : <CellOf column={nameColumn} />}
          </span>
          <span className="beside">
            {among(card?.beside).map((column) => (
              <CellOf key={column.source} column={column} />
            ))}
          </span>
          {card ? (
            <IconAction
              aria-expanded={isUnfolded}
              aria-controls={isUnfolded ? detailsId : undefined}
              aria-label={translate('app.list.details_of', { name })}
              onClick={() => setUnfolded(!isUnfolded)}
            >
              <LineIcon>
                <path d={isUnfolded ? 'm4 10 4-4 4 4' : 'm4 6 4 4 4-4'} />
              </LineIcon>
            </IconAction>
          ) : (
            <RowActions />
          )}
        </header>
        {card?.Note ? <card.Note /> : null}
        {card ? (
          <>
            <dl className="metrics">
              {among(card.metrics).map((column) => (
                <div key={column.source}>
                  <dt>{texts.heading(column)}</dt>
                  <dd>
                    <CellOf column={column} />
                  </dd>
                </div>
              ))}
            </dl>
            <footer>
              <span className="below">
                {among(card.below).map((column) => (
                  <span key={column.source}>
                    <CellOf column={column} />
                  </span>
                ))}
              </span>
              <RowActions />
            </footer>
          </>
        ) : null}
        {!card || isUnfolded ? (
          <dl id={detailsId} className="details">
            {details.map((column) => [
              <dt key={`${column.source} heading`}>{texts.heading(column)}</dt>,
              <dd key={column.source}>
                <CellOf column={column} />
              </dd>,
            ])}
          </dl>
        ) : null}
      </Card>
    </RecordContextProvider>
  )
})

const CellOf = ({ column }: { column: Column }) =>
  column.Cell ? <column.Cell /> : <FieldCell source={column.source} />

const Card = styled('li')(({ theme }) => ({
  padding: theme.spacing(0.5, 1),
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
  '&[data-opens]': { cursor: 'pointer' },
  '&[data-selected=true]': { background: theme.vars.palette.action.selected },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}` },
  '& dl': { margin: 0 },
  '& dt': { color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' },
  // In a column of checks, an empty place is a "no"; below a heading of its own it would seem to be missing.
  '& dd > .visually-hidden:only-child': { all: 'unset' },
  '& dd:empty::before': { content: '"–"', color: theme.vars.palette.text.secondary },
  '& > header, & > footer': { display: 'flex', alignItems: 'center', gap: theme.spacing(0.5), minHeight: 40 },
  // Below it, there is nothing to press.
  '& > footer:not(:has(button, a))': { minHeight: 4 },
  '& > header > .checkbox, & > header > .icon-action': { flexShrink: 0 },
  '& > header > .name': {
    flex: '1 1 auto',
    maxWidth: '45%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontSize: 15,
    '& > .name-link': { display: 'block', lineHeight: '44px', overflow: 'inherit', textOverflow: 'inherit' },
  },
  // Without a checkbox, it begins where the lines below begin.
  '& > header > .name:first-child': { paddingInlineStart: theme.spacing(1) },
  // Nothing beside it.
  '& > header > .name:has(+ .beside:empty)': { maxWidth: 'none' },
  // What stands beside a name takes a second line before it takes room from half of the line, and keeps its longest word.
  '& > header > .beside': {
    flex: '0 10000 auto',
    marginInline: `${theme.spacing(1)} auto`,
    display: 'flex',
    gap: theme.spacing(0.5),
    minWidth: 'min-content',
    lineHeight: 1.2,
  },
  '& > header > .beside > *': { minWidth: 0, whiteSpace: 'normal' },
  '& .metrics': {
    display: 'grid',
    gridAutoFlow: 'column',
    gridAutoColumns: 'minmax(0, 1fr)',
    gap: theme.spacing(1.5),
    paddingInline: theme.spacing(1),
    '& dt': { fontSize: 11, lineHeight: 1.3 },
    // A time breaks between its day and its hour, and not before "PM".
    '& dd': { textWrap: 'balance' },
  },
  '& .below': { flex: 1, display: 'flex', gap: theme.spacing(1.5), minWidth: 0, paddingInlineStart: theme.spacing(1) },
  // Without a group, a server shows its address in that place.
  '& .below > :empty, & .below > :has(> :empty:only-child)': { display: 'none' },
  '& .below > *': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  // A short word is not cut for the sake of a long address beside it.
  '& .below > :not(:last-child)': { flexShrink: 0, maxWidth: '50%' },
  '& .details': {
    display: 'grid',
    gridTemplateColumns: 'fit-content(50%) minmax(0, 1fr)',
    gap: theme.spacing(0.75, 2),
    padding: theme.spacing(0.5, 1, 1),
    alignItems: 'center',
  },
}))
