import { styled } from '@mui/material/styles'
import { memo } from 'react'
import { useEvent, useListSortContext } from 'react-admin'
import { needsSnapshot } from '../../../records/queryRows.ts'
import type { Column } from '../define/defineResource.ts'
import { useScreen } from '../define/screen.ts'

const Button = styled('button')({
  all: 'unset',
  cursor: 'pointer',
  display: 'inline-flex',
  alignItems: 'center',
  gap: 4,
  height: 32,
  '&:focus-visible': { outline: '2px solid currentColor', outlineOffset: 2, borderRadius: 4 },
  '& svg': { width: 8, height: 8, opacity: 0, fill: 'currentColor' },
  '&:hover svg': { opacity: 0.4 },
  '[aria-sort=ascending] > & svg': { opacity: 1 },
  '[aria-sort=descending] > & svg': { opacity: 1, transform: 'rotate(180deg)' },
})

/** A heading; a click sorts by its column, a second click reverses the order. */
export const SortHeading = memo(function SortHeading({ column, text }: { column: Column; text: string }) {
  const { sort, setSort } = useListSortContext()
  const { definition } = useScreen()
  const { source, sortValue } = column
  const active = sort.field === source
  const order = active && sort.order === 'ASC' ? 'DESC' : 'ASC'
  const sortBy = useEvent(() => {
    // The snapshot is fetched while the page draws the new heading.
    if (needsSnapshot(sortValue)) void definition.snapshot?.()
    setSort({ field: source, order })
  })
  const direction = active ? (sort.order === 'ASC' ? 'ascending' : 'descending') : 'none'
  return <Heading column={column} text={text} direction={direction} onSort={sortBy} />
})

interface HeadingProps {
  column: Column
  text: string
  direction: 'ascending' | 'descending' | 'none'
  onSort: () => void
}

/** Redrawn only when its order changes. */
const Heading = memo(function Heading({ column, text, direction, onSort }: HeadingProps) {
  const { entity } = useScreen()
  const { align, width, hideHeading, sortValue } = column
  // A list that the server pages has the server's order.
  const sorts = sortValue !== false && entity.api.paging === 'whole'
  const label = hideHeading ? <span className="visually-hidden">{text}</span> : text
  return (
    <th
      scope="col"
      className={align === 'end' ? 'end' : undefined}
      style={{ width }}
      aria-sort={sorts ? direction : undefined}
    >
      {sorts ? (
        <Button type="button" onClick={onSort}>
          {label}
          <svg viewBox="0 0 8 8" aria-hidden="true">
            <path d="M4 1 8 7H0z" />
          </svg>
        </Button>
      ) : (
        label
      )}
    </th>
  )
})
