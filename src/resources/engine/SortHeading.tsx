import { styled } from '@mui/material/styles'
import { useListSortContext } from 'react-admin'
import type { Column } from './defineResource.ts'

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

/** A heading; a click sorts by its column, a second click turns the order round. */
export function SortHeading({ column, text }: { column: Column; text: string }) {
  const { sort, setSort } = useListSortContext()
  const { source, align, width, hideHeading, sortValue } = column
  const active = sort.field === source
  const order = active && sort.order === 'ASC' ? 'DESC' : 'ASC'
  const direction = sort.order === 'ASC' ? 'ascending' : 'descending'
  const label = hideHeading ? <span className="visually-hidden">{text}</span> : text
  return (
    <th
      scope="col"
      className={align === 'end' ? 'end' : undefined}
      style={{ width }}
      aria-sort={sortValue === false ? undefined : active ? direction : 'none'}
    >
      {sortValue === false ? (
        label
      ) : (
        <Button type="button" onClick={() => setSort({ field: source, order })}>
          {label}
          <svg viewBox="0 0 8 8" aria-hidden="true">
            <path d="M4 1 8 7H0z" />
          </svg>
        </Button>
      )}
    </th>
  )
}
