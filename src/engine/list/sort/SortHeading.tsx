import { memo } from 'react'
import { useEvent, useListSortContext } from 'react-admin'
import { sortsByLive } from '../../../records/queryRows.ts'
import type { Column } from '../../define/column.ts'
import { useScreen } from '../../define/screen.ts'
import { ColumnSeparator } from '../columns/ColumnSeparator.tsx'
import './heading.css'

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
