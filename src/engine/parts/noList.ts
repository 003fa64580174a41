import type { ListControllerResult } from 'react-admin'

/**
 * An empty list context: actions remove changed records from the selection of a list, and a page, or a form over another one, has no list.
 * React-admin's `useList` would do the same, but add its exporter to the first load.
 */
export const noList = {
  data: [],
  total: 0,
  error: null,
  isPending: false,
  selectedIds: [],
  onSelect: () => {},
  filterValues: {},
} satisfies Partial<ListControllerResult> as Partial<ListControllerResult> as ListControllerResult
