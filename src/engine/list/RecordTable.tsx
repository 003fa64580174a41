import './sort/heading.css'
import './columns/separator.css'
import { styled } from '@mui/material/styles'
import { type KeyboardEvent, memo, type PointerEvent, Suspense, useId, useRef } from 'react'
import {
  type RaRecord,
  RecordContextProvider,
  useEvent,
  useListContext,
  useListSortContext,
  useTranslate,
} from 'react-admin'
import { sizes } from '../../components/theme/tokens.ts'
import { sortsByLive } from '../../records/queryRows.ts'
import type { Column } from '../define/defineResource.ts'
import { useScreen } from '../define/screen.ts'
import { useOrder } from '../order/OrderByHand.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'
import { useHiddenEdges, useStickyHead } from './columns/useStickyHead.ts'
import { EmptyList, LoadingRows } from './EmptyList.tsx'
import { FieldCell, NameLink, type OpenRow, RowActions, useRowOpener } from './row/rowParts.tsx'
import { Checkbox, type ToggleRow, usePageSelection, useRangeSelection } from './selection/Checkbox.tsx'
import { largestPageSize } from './state/listQuery.ts'
import { columnWidths, useColumnWidths, useListView, useTableChoices } from './state/listView.tsx'

/** Rows beyond a page of the usual size are drawn as they come into the window. */
const LongBody = lazyPart(() => import('./sections/LongBody.tsx'))

const Scroller = styled('div')({
  position: 'relative',
  overflowX: 'auto',
  // Not `auto`, so that the head sticks to the window, in browsers that stick along each axis apart.
  overflowY: 'clip',
  // In the others it does as long as all columns fit.
  "&[data-more='']": { overflowX: 'clip' },
  borderRadius: 'inherit',
  // Without actions, the columns themselves fade where there are more of them.
  "&[data-more~='end']:not(:has(.actions))": { maskImage: 'linear-gradient(to left, rgb(0 0 0 / 20%), #000 32px)' },
  // For what has the width of the window and not of the table.
  containerType: 'inline-size',
})

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
  '& th': {
    position: 'sticky',
    zIndex: 2,
    height: 40,
    background: 'inherit',
    color: theme.vars.palette.text.secondary,
    fontWeight: 600,
  },
  "[data-scrolls='xy'] > & thead": { position: 'relative', zIndex: 2 },
  "[data-scrolls='x'] > & th": { top: sizes.header },
  // What gets the focus is not scrolled below the head.
  '& tbody :is(tr, a, button, input)': { scrollMarginTop: 40 },
  '&[data-dense=true] td': { height: 36 },
  // A number that is cut off is another number.
  '& .end': { maxWidth: 'none', textAlign: 'right' },
  // Actions stay in sight while the other columns scroll. They hide what scrolls below them, so every colour of a row is
  // opaque, and theirs too.
  '& tr': { background: theme.vars.palette.background.paper },
  '& .actions': { position: 'sticky', right: 0, zIndex: 1, background: 'inherit' },
  '& th.actions': { zIndex: 3 },
  // An edge where columns go on below the actions.
  "[data-more~='end'] > & .actions": { overflow: 'visible' },
  "[data-more~='end'] > & .actions::before": {
    content: '""',
    position: 'absolute',
    top: 0,
    bottom: -1,
    left: -12,
    width: 12,
    borderRight: `1px solid ${theme.vars.palette.divider}`,
    background: 'linear-gradient(to left, rgb(0 0 0 / 14%), transparent)',
    pointerEvents: 'none',
  },
  '& .check': { width: 40, padding: 0, textAlign: 'center' },
  // In the middle of what is seen, however wide the columns are.
  '& .empty': { height: 'auto', maxWidth: 'none', padding: 0, overflow: 'visible', whiteSpace: 'normal' },
  '& .empty > div': { position: 'sticky', left: 0, width: '100cqw' },
  '& tbody tr:last-of-type td': { borderBottom: 0 },
  '& tbody tr:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  '& tbody tr[data-opens]': { cursor: 'pointer' },
  '& tbody tr:where([data-opens]:hover, :focus-within)': { background: theme.vars.palette.sunken },
  '& tbody tr[aria-selected=true]': { background: theme.vars.palette.action.selected },
}))

/** A list as a table: headings that sort, checkboxes, cells by field kind, actions at the end. */
export function RecordTable() {
  const { definition, texts, translate, canSelect, hasRowActions } = useScreen()
  const { data = [], isPending, selectedIds } = useListContext()
  const { columns, isDense } = useTableChoices()
  const open = useRowOpener()
  const toggle = useRangeSelection()
  const id = useId()
  const scroller = useHiddenEdges<HTMLDivElement>()
  useStickyHead(scroller)
  const { hasHandles } = useOrder()
  const span = columns.length + Number(hasHandles) + Number(canSelect) + Number(hasRowActions)
  const selected = new Set(selectedIds.map(String))
  const { hasSections } = useListView()
  const isLong = data.length > largestPageSize || (hasSections && data.length > 0)
  const rowOf = (record: RaRecord) => (
    <RecordRow
      key={record.id}
      record={record}
      columns={columns}
      nameField={definition.entity.nameField}
      selected={selected.has(String(record.id))}
      onToggle={toggle}
      onOpen={open}
      hasHandle={hasHandles}
    />
  )
  return (
    <Scroller ref={scroller}>
      <Table id={id} aria-label={texts.plural} data-dense={isDense}>
        <thead>
          <tr>
            {hasHandles ? (
              <th className="check" scope="col">
                <span className="visually-hidden">{translate('app.order.by_hand')}</span>
              </th>
            ) : null}
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
        {isLong ? (
          <Suspense fallback={<tbody>{data.slice(0, largestPageSize).map(rowOf)}</tbody>}>
            <LongBody records={data} span={span} rowOf={rowOf} />
          </Suspense>
        ) : (
          <tbody>
            {data.map(rowOf)}
            {isPending ? <LoadingRows span={span} /> : null}
            {!isPending && data.length === 0 ? (
              <tr>
                <td className="empty" colSpan={span}>
                  <div>
                    <EmptyList />
                  </div>
                </td>
              </tr>
            ) : null}
          </tbody>
        )}
      </Table>
      <ColumnWidths table={id} columns={columns} first={Number(hasHandles) + Number(canSelect)} />
    </Scroller>
  )
}

/**
 * The widths that a person gave to columns, as styles of their cells: rows are not drawn anew while an edge is dragged.
 * @param first the number of cells before the first column
 */
function ColumnWidths({ table, columns, first }: { table: string; columns: readonly Column[]; first: number }) {
  const { widths } = useColumnWidths()
  const rules = columns.flatMap(({ source }, index) => {
    const width = widths[source]
    if (width === undefined) return []
    const cells = `#${CSS.escape(table)} > * > tr > :nth-child(${index + first + 1}):not([colspan])`
    return [`${cells} { width: ${width}px; min-width: ${width}px; }`, `${cells}:not(.end) { max-width: ${width}px; }`]
  })
  return rules.length > 0 ? <style>{rules.join('\n')}</style> : null
}

/** Selects, or clears, all rows of the page. */
function SelectAll() {
  const translate = useTranslate()
  const { isEmpty, isWhole, isPartial, toggle } = usePageSelection()
  return (
    <Checkbox
      label={translate('app.list.select_all')}
      checked={isWhole}
      indeterminate={isPartial}
      disabled={isEmpty}
      onChange={toggle}
    />
  )
}

const OrderHandle = lazyPart(() => import('../order/OrderHandle.tsx'), { isInRows: true })

interface RecordRowProps {
  record: RaRecord
  columns: readonly Column[]
  nameField: string
  selected: boolean
  onToggle: ToggleRow
  /** Absent where the record cannot be opened. */
  onOpen?: OpenRow
  /** Whether it can be dragged. */
  hasHandle: boolean
}

/** One row. It is redrawn only when its record or its selection changes; live cells update by themselves. */
const RecordRow = memo(function RecordRow({
  record,
  columns,
  nameField,
  selected,
  onToggle,
  onOpen,
  hasHandle,
}: RecordRowProps) {
  const { opens, texts, translate, canSelect, hasRowActions } = useScreen()
  return (
    <RecordContextProvider value={record}>
      <tr
        data-row={record.id}
        aria-selected={canSelect ? selected : undefined}
        data-opens={onOpen && opens(record) ? '' : undefined}
        onClick={(event) => onOpen?.(event, record)}
      >
        {hasHandle ? (
          <td className="check">
            <Suspense>
              <OrderHandle />
            </Suspense>
          </td>
        ) : null}
        {canSelect ? (
          <td className="check">
            <Checkbox
              label={translate('app.list.select_row', { name: texts.nameOf(record) })}
              checked={selected}
              onChange={(event) => onToggle(record.id, (event.nativeEvent as MouseEvent).shiftKey)}
            />
          </td>
        ) : null}
        {columns.map((column) => {
          const cell = column.Cell ? <column.Cell /> : <FieldCell source={column.source} />
          return (
            <td key={column.source} className={column.align === 'end' ? 'end' : undefined}>
              {onOpen && column.source === nameField ? <NameLink>{cell}</NameLink> : cell}
            </td>
          )
        })}
        {hasRowActions ? (
          <td className="actions end">
            <RowActions />
          </td>
        ) : null}
      </tr>
    </RecordContextProvider>
  )
})

/** Pixels that an arrow key moves it. */
const step = 16

/**
 * The edge between two headings: dragged, or moved by the arrow keys, it changes the width of the column before it; a
 * double click, Enter or Delete makes it as wide as what it shows.
 */
function ColumnSeparator({ source, heading }: { source: string; heading: string }) {
  const translate = useTranslate()
  const { widths, setWidth } = useColumnWidths()
  const handle = useRef<HTMLSpanElement>(null)
  const drag = useRef<{ x: number; width: number }>(undefined)
  const current = () =>
    widths[source] ?? handle.current?.parentElement?.getBoundingClientRect().width ?? columnWidths.min

  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width: current() }
  }
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (drag.current) setWidth(source, drag.current.width + clientX - drag.current.x)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const width = { ArrowLeft: current() - step, ArrowRight: current() + step, Home: columnWidths.min }[event.key]
    const isReset = event.key === 'Enter' || event.key === 'Delete'
    if (width === undefined && !isReset) return
    event.preventDefault()
    event.stopPropagation()
    setWidth(source, width)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule has no width that one could drag
    <span
      ref={handle}
      className="column-separator"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={translate('app.list.column_width', { column: heading })}
      aria-valuemin={columnWidths.min}
      aria-valuemax={columnWidths.max}
      aria-valuenow={widths[source] ?? columnWidths.min}
      aria-valuetext={widths[source] === undefined ? translate('app.list.column_width_auto') : `${widths[source]} px`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = undefined
      }}
      onPointerCancel={() => {
        drag.current = undefined
      }}
      onDoubleClick={() => setWidth(source, undefined)}
      onKeyDown={onKeyDown}
    />
  )
}

/** A heading; a click sorts by its column, a second click reverses the order. */
const SortHeading = memo(function SortHeading({ column, text }: { column: Column; text: string }) {
  const { sort, setSort } = useListSortContext()
  const { prepareSnapshot } = useScreen()
  const active = sort.field === column.source
  const order = active && sort.order === 'ASC' ? 'DESC' : 'ASC'
  const onSort = useEvent(() => setSort({ field: column.source, order }))
  // What the order needs beyond records is there when they click.
  const onApproach = useEvent(() => {
    if (sortsByLive(column)) prepareSnapshot?.()
  })
  const direction = active ? (sort.order === 'ASC' ? 'ascending' : 'descending') : 'none'
  return <Heading column={column} text={text} direction={direction} onSort={onSort} onApproach={onApproach} />
})

interface HeadingProps {
  column: Column
  text: string
  direction: 'ascending' | 'descending' | 'none'
  onSort: () => void
  /** Somebody points at it, or is there with the keyboard. */
  onApproach: () => void
}

/** Redrawn only when its order changes. */
const Heading = memo(function Heading({ column, text, direction, onSort, onApproach }: HeadingProps) {
  const { entity } = useScreen()
  const { align, width, hideHeading, sort } = column
  // A list that the server pages has the server's order.
  const sorts = sort !== false && entity.api.paging === 'whole'
  const label = hideHeading ? <span className="visually-hidden">{text}</span> : text
  return (
    <th
      scope="col"
      className={align === 'end' ? 'end' : undefined}
      style={{ width }}
      // The edge in it has a name of its own.
      aria-label={text}
      aria-sort={sorts ? direction : undefined}
    >
      {sorts ? (
        <button type="button" className="sort-button" onClick={onSort} onPointerEnter={onApproach} onFocus={onApproach}>
          {label}
          <svg viewBox="0 0 8 8" aria-hidden="true">
            <path d="M4 1 8 7H0z" />
          </svg>
        </button>
      ) : (
        label
      )}
      <ColumnSeparator source={column.source} heading={text} />
    </th>
  )
})
