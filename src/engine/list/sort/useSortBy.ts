import { type SortPayload, useEvent, useListSortContext } from 'react-admin'
import { type Snapshot, sortsByLive } from '../../../records/queryRows.ts'
import type { Column } from '../../define/column.ts'
import { useScreen } from '../../define/screen.ts'
import { useListInMemory } from '../state/useListInMemory.ts'

interface SortBy {
  /** Sorts the list by a column. */
  sortBy(column: Column, order: SortPayload['order']): void
  /** For somebody who is about to: what the order needs beyond records is there when they do. */
  prepare(column: Column): void
  /** For somebody who is pressing the button: all rows are in this order when they let go of it. */
  sortAhead(column: Column, order: SortPayload['order']): void
}

export function useSortBy(): SortBy {
  const { setSort } = useListSortContext()
  const { entity, meta, takeSnapshot } = useScreen()
  const getNow = useListInMemory(entity.name)
  const prepare = useEvent((column: Column) => {
    if (sortsByLive(column)) takeSnapshot?.().catch(() => {})
  }) as SortBy['prepare']
  const sortAhead = useEvent((column: Column, order: SortPayload['order']) => {
    // The order is remembered with its rows, so that the list need not sort them again.
    const sort = (snapshot?: Snapshot) =>
      void getNow({ sort: { field: column.source, order }, meta: { ...meta, knownSnapshot: () => snapshot } })
    if (sortsByLive(column)) takeSnapshot?.().then(sort, () => {})
    else sort()
  }) as SortBy['sortAhead']
  const sortBy = useEvent((column: Column, order: SortPayload['order']) => {
    // If it is not there yet, it is fetched while the page draws the new order.
    prepare(column)
    setSort({ field: column.source, order })
  }) as SortBy['sortBy']
  return { sortBy, prepare, sortAhead }
}
