import { type ReactNode, use, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import {
  DataProviderContext,
  type Identifier,
  ListContext,
  type ListControllerBaseResult,
  type ListControllerResult,
  ListFilterContext,
  ListPaginationContext,
  ListSortContext,
  type UseGetListOptions,
  useAuthProvider,
  useDataProvider,
  useEvent,
  useGetList,
  useLogoutIfAccessDenied,
  usePickFilterContext,
  usePickPaginationContext,
  usePickSortContext,
} from 'react-admin'
import { type Location, useLocation, useNavigate } from 'react-router'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { whenIdle } from '../../../events/whenIdle.ts'
import type { ListMeta } from '../../../records/queryPlan.ts'
import { byId, everyRow } from '../../../records/queryRows.ts'
import { type ListQuery, largestPageSize, readListQuery, writeListQuery } from './listQuery.ts'
import { useListView } from './listView.tsx'

/** Milliseconds without another letter, after which the address says what the list shows. */
const addressDelay = 300

const neverUsed: ListQuery['sort'] = { field: 'id', order: 'ASC' }

interface ListDefaults extends Pick<ListQuery, 'sort' | 'perPage'> {
  /** Whether all rows are in memory, so that a page may have all of them. */
  isWhole: boolean
  /** Called when somebody sorts the list. */
  onSort: (sort: ListQuery['sort']) => void
}

/**
 * The query of the list on screen, which lives in the address.
 *
 * Filters, the search among them, apply at once. The address follows when nothing was typed for 300 ms, or before
 * somebody uses a link: a navigation for each letter would redraw everything that depends on the address, and would be
 * a step of the back button. Sort, page and page size go through the address, each a step of the back button.
 *
 * Without an order in the address, the list stands in the one that somebody chose last.
 */
export function useListQuery({ sort: chosen, perPage: rows, isWhole, onSort }: ListDefaults) {
  const perPage = isWhole ? rows : Math.min(rows, largestPageSize)
  const location = useLocation()
  const navigate = useNavigate()
  // Forgotten when the location changes in any other way: by the back button, a link, a saved view.
  const [typed, setTyped] = useState<{ location: Location; entry?: string; search: string }>()
  const isTyped = typed !== undefined && (typed.location === location || typed.entry === location.key)
  const search = isTyped ? typed.search : location.search
  const isAhead = search !== location.search
  // An address with an order needs no other: the list stays as it is when another one is chosen for the next visit.
  const sort = new URLSearchParams(search).has('sort') ? neverUsed : chosen
  const read = useMemo(() => readListQuery(search, { sort, perPage }, isWhole), [search, sort, perPage, isWhole])
  const { field, order } = read.sort
  // The same object while the order is the same: the headings of a list are drawn when it changes.
  const sortNow = useMemo(() => ({ field, order }), [field, order])
  const query = useMemo(() => ({ ...read, sort: sortNow }), [read, sortNow])

  const writeAddress = useEvent((options: { flushSync: boolean }) => {
    // Not when somebody is on the way to another screen, whose address is there before the screen is drawn.
    const { pathname, search: shown } = window.location
    if (isAhead && pathname === location.pathname && shown === location.search) {
      navigate({ search }, { replace: true, ...options })
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each letter starts the delay anew
  useEffect(() => {
    if (!isAhead) return
    const timer = setTimeout(() => writeAddress({ flushSync: false }), addressDelay)
    return () => clearTimeout(timer)
  }, [isAhead, search, location, writeAddress])
  // Apart from the delay, and so once for several letters: the browser takes its time to add listeners of the pointer.
  useEffect(() => {
    if (!isAhead) return
    // Links below have to be drawn with the new query before the click reaches them.
    const writeNow = () => writeAddress({ flushSync: true })
    // A dialog takes the focus while it is drawn, and nothing can be drawn in the middle of that.
    const writeSoon = () => queueMicrotask(writeNow)
    for (const event of addressUses) window.addEventListener(event, writeNow, true)
    window.addEventListener('focusin', writeSoon, true)
    return () => {
      for (const event of addressUses) window.removeEventListener(event, writeNow, true)
      window.removeEventListener('focusin', writeSoon, true)
    }
  }, [isAhead, writeAddress])

  const written = useMemo(() => {
    if (search === location.search) return query
    return readListQuery(location.search, { sort, perPage }, isWhole)
  }, [search, location.search, query, sort, perPage, isWhole])

  return {
    query,
    /** As the address has it: behind `query` while somebody types. */
    written,
    setFilters: useEvent((filter: ListQuery['filter']) => {
      const { entry, search: base } = latestEntry(location) ?? { search }
      setTyped({ location, entry, search: writeListQuery(base, { filter, page: 1 }) })
    }),
    setSort: useEvent((newSort: ListQuery['sort']) => {
      // In one go: the next letter must not be typed into the old order.
      navigate({ search: writeListQuery(search, { ...query, sort: newSort, page: 1 }) }, { flushSync: true })
      onSort(newSort)
    }),
    setPage: useEvent((page: number) =>
      navigate(
        { search: writeListQuery(search, { ...query, page }) },
        // React-admin scrolls to the top where a location says so.
        { flushSync: true, state: { _scrollToTop: true } },
      ),
    ),
    setPerPage: useEvent((size: number) =>
      navigate({ search: writeListQuery(search, { ...query, perPage: size, page: 1 }) }, { flushSync: true }),
    ),
    /** For a page that does not exist: the back button must not lead there again. */
    replacePage: useEvent((page: number) =>
      navigate({ search: writeListQuery(search, { ...query, page }) }, { replace: true }),
    ),
  }
}

/**
 * The entry of the browser's history that the router is on its way to, by its key: a letter may be typed after the
 * address has changed, with another number of rows for instance, and before that is drawn.
 */
function latestEntry({ pathname, search }: Location): { entry?: string; search: string } | undefined {
  const { location, history } = window
  if (location.pathname !== pathname || location.search === search) return undefined
  return { entry: (history.state as { key?: string } | null)?.key, search: location.search }
}

/** What may read the address or leave it. The focus on a link comes before the key that follows it. */
const addressUses = ['pointerdown', 'click', 'pagehide'] as const

interface ListControllerProps {
  resource: string
  /** Whether the data provider has all rows in memory, so that an answer takes no request. */
  isWhole: boolean
  /** The order when the address does not say. */
  sort: ListQuery['sort']
  /** Called when somebody sorts the list. */
  onSort: (sort: ListQuery['sort']) => void
  /** Rows per page when the address does not say. Default: as many as fill the window. */
  perPage?: number
  /** Passed to the data provider with each question. */
  meta: ListMeta
  queryOptions: Pick<UseGetListOptions, 'onError' | 'refetchInterval'>
  children: ReactNode
}

/**
 * Provides react-admin's list contexts to the parts of a list, so that `useListContext` and its like work below. It
 * stands in for `useListController`: see docs/decisions/list-controller.md.
 *
 * The parts are drawn when something changes that they show. The controller itself is drawn more often: a letter
 * changes the query, then a request begins, is answered, and is repeated because the answer may have aged.
 */
export function ListController({ resource, isWhole, meta, children, ...props }: ListControllerProps) {
  const { view, hasSections, fitting } = useListView()
  const {
    query: typed,
    written,
    replacePage,
    ...setters
  } = useListQuery({ ...props, perPage: props.perPage ?? fitting, isWhole: isWhole && view !== 'cards' })
  // A server is not asked for every letter of a search.
  const asked = isWhole ? typed : written
  const isEverything = view === 'wall' || hasSections
  const query = useMemo(() => (isEverything ? { ...asked, ...everyRow } : asked), [asked, isEverything])
  const { filter, sort, page, perPage } = query
  const version = useSortVersion(meta, sort.field)
  const params = {
    filter,
    sort,
    pagination: { page, perPage },
    meta: version === undefined ? meta : { ...meta, version },
  }
  useSessionCheck()
  const answer = useGetList(resource, params, {
    ...props.queryOptions,
    placeholderData: (previous: unknown) => previous as never,
    retry: false,
  })
  const { data, total, error, isPending, isFetching, isPlaceholderData } = answer
  const { loadedRows } = use(DataProviderContext) as Partial<ConsoleDataProvider>
  const selection = useSelection(answer.dataUpdatedAt, () => loadedRows?.(resource))

  // The last row of the last page was deleted, or the address asks for a page that never was.
  useEffect(() => {
    if (page > 1 && !isPending && !isFetching && !data?.length) replacePage(1)
  }, [page, isPending, isFetching, data, replacePage])

  // Rows and the query that they answer change together: until the rows of a new query are there, the list says the
  // old one. A list that the server pages shows at once what is asked for.
  const [answered, setAnswered] = useState(query)
  const shown = isWhole && isPlaceholderData ? answered : query
  if (shown !== answered) setAnswered(shown)

  const dataProvider = useDataProvider()
  const getData = useEvent(async () => {
    const params = { filter: shown.filter, sort: shown.sort, pagination: { page: 1, perPage: total ?? 0 }, meta }
    return total ? (await dataProvider.getList(resource, params)).data : []
  })
  const setFilters = setters.setFilters
  const onSelectAll = useEvent(async () => selection.onSelect((await getData()).map(({ id }) => id)))
  const hideFilter = useEvent((source: string) => setFilters({ ...typed.filter, [source]: undefined }))
  const showFilter = useEvent((source: string, value: unknown) => setFilters({ ...typed.filter, [source]: value }))

  const ofQuery = ({ filter: filterValues, ...rest }: ListQuery): ListControllerBaseResult => ({
    resource,
    ...rest,
    filterValues,
    displayedFilters: none,
    exporter: false,
    hasNextPage: total === undefined ? undefined : rest.page * rest.perPage < total,
    hasPreviousPage: rest.page > 1,
    isFetching,
    isLoading: answer.isLoading,
    isPaused: answer.isPaused,
    isPlaceholderData,
    refetch: answer.refetch,
    ...setters,
    hideFilter,
    showFilter,
    ...selection,
    onSelectAll,
    getData,
  })
  const ofAnswer = { data, total, meta: answer.meta, error, isPending }
  // One object for as long as a list shows the same; its `isFetching` and the like are as of its beginning.
  // biome-ignore lint/correctness/useExhaustiveDependencies: all that is shown follows from these
  const list = useMemo(
    () => ({ ...ofQuery(shown), ...ofAnswer }) as ListControllerResult,
    [data, total, error, isPending, selection.selectedIds, shown],
  )
  // Search, sort and page show the new choice at once, however long the rows take.
  const requested = { ...ofQuery(typed), ...ofAnswer } as ListControllerResult
  return (
    <ListFilterContext value={usePickFilterContext(requested)}>
      <ListSortContext value={usePickSortContext(requested)}>
        <ListContext value={list}>
          <ListPaginationContext value={usePickPaginationContext(list)}>{children}</ListPaginationContext>
        </ListContext>
      </ListSortContext>
    </ListFilterContext>
  )
}

const none = {}
const subscribeToNothing = () => () => {}

/** What the order depends on besides the rows: another version is another question, with rows in another order. */
function useSortVersion({ columns }: ListMeta, field: string): number | undefined {
  const state = columns?.[field]?.sortState
  return useSyncExternalStore(state?.subscribe ?? subscribeToNothing, () => state?.version())
}

/**
 * Asks the auth provider whether there still is a session. Whether this person may read the list was decided around it
 * (`IfAvailable`). React-admin's `useAuthenticated` and `useRequireAccess` would draw the list again for each answer.
 */
function useSessionCheck(): void {
  const authProvider = useAuthProvider()
  const logoutIfAccessDenied = useLogoutIfAccessDenied()
  useEffect(() => {
    // Reading a cookie waits for another process of the browser: the list is shown first.
    return whenIdle(() => void authProvider?.checkAuth({}).catch(logoutIfAccessDenied))
  }, [authProvider, logoutIfAccessDenied])
}

const nothingSelected: Identifier[] = []

/**
 * The selected rows, those of other pages among them.
 * @param version another one with each answer of the server
 * @param loadedRows all rows, of a list that is whole
 */
function useSelection(version: number, loadedRows: () => readonly { id: Identifier }[] | undefined) {
  const [selectedIds, setSelectedIds] = useState(nothingSelected)
  const dropMissing = useEvent(() => {
    const rows = selectedIds.length > 0 ? loadedRows() : undefined
    if (!rows) return
    const isThere = (id: Identifier) => byId(rows).has(String(id))
    if (!selectedIds.every(isThere)) setSelectedIds(selectedIds.filter(isThere))
  })
  // Somebody else may have deleted them, or this person by an order whose dialog was left before its answer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are missing after an answer
  useEffect(dropMissing, [version, dropMissing])
  return {
    selectedIds,
    onSelect: setSelectedIds as (ids: Identifier[]) => void,
    onToggleItem: useEvent((id: Identifier) =>
      setSelectedIds((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id])),
    ),
    onUnselectItems: useEvent(() => setSelectedIds(nothingSelected)),
  }
}
