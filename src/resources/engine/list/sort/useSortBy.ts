import { type SortPayload, useEvent, useListSortContext } from 'react-admin'
import { sortsBySnapshot } from '../../../../records/queryRows.ts'
import type { Column } from '../../define/column.ts'
import { useScreen } from '../../define/screen.ts'

interface SortBy {
  /** Sorts the list by a column. */
  sortBy(column: Column, order: SortPayload['order']): void
  /** For somebody who is about to: what the order needs beyond records is there when they do. */
  prepare(column: Column): void
}

export function useSortBy(): SortBy {
  const { setSort } = useListSortContext()
  const { takeSnapshot } = useScreen()
  const prepare = useEvent(({ sortValue }: Column) => {
    if (sortsBySnapshot(sortValue)) takeSnapshot?.().catch(() => {})
  }) as SortBy['prepare']
  const sortBy = useEvent((column: Column, order: SortPayload['order']) => {
    // If it is not there yet, it is fetched while the page draws the new order.
    prepare(column)
    setSort({ field: column.source, order })
  }) as SortBy['sortBy']
  return { sortBy, prepare }
}
