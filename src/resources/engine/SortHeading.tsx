import { styled } from '@mui/material/styles'
import { useListSortContext } from 'react-admin'
import type { Column } from './defineResource.ts'
import { useScreen } from './screen.ts'

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
  const { entity } = useScreen()
  const { source, align, width, hideHeading, sortValue } = column
  // A list that the server pages comes in the server's order.
  const sorts = sortValue !== false && entity.api.paging === 'whole'
  const active = sort.field === source
  const order = active && sort.order === 'ASC' ? 'DESC' : 'ASC'
  const direction = sort.order === 'ASC' ? 'ascending' : 'descending'
  const label = hideHeading ? <span className="visually-hidden">{text}</span> : text
  return (
    <th
      scope="col"
      className={align === 'end' ? 'end' : undefined}
      style={{ width }}
      aria-sort={sorts ? (active ? direction : 'none') : undefined}
    >
      {sorts ? (
        <Button type="button" onClick={() => setSort({ field: source, order })}>
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
}
