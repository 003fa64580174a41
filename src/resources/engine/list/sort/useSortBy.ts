import { type SortPayload, useEvent, useListSortContext } from 'react-admin'
import { sortsBySnapshot } from '../../../../records/queryRows.ts'
import type { Column } from '../../define/column.ts'
import { useScreen } from '../../define/screen.ts'

/** Sorts the list by a column. */
export function useSortBy(): (column: Column, order: SortPayload['order']) => void {
  const { setSort } = useListSortContext()
  const { takeSnapshot } = useScreen()
  return useEvent(({ source, sortValue }: Column, order: SortPayload['order']) => {
    // The snapshot is fetched while the page draws the new order.
    if (sortsBySnapshot(sortValue)) void takeSnapshot?.()
    setSort({ field: source, order })
  }) as (column: Column, order: SortPayload['order']) => void
}
