import './heading.css'
import '../columns/separator.css'
import { type KeyboardEvent, memo, type PointerEvent, useRef } from 'react'
import { useEvent, useListSortContext, useTranslate } from 'react-admin'
import { sortsByLive } from '../../../records/queryRows.ts'
import type { Column } from '../../define/defineResource.ts'
import { useScreen } from '../../define/screen.ts'
import { columnWidths, useColumnWidths } from '../state/listView.tsx'

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
export const SortHeading = memo(function SortHeading({ column, text }: { column: Column; text: string }) {
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
