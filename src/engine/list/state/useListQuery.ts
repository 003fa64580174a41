import { useEffect, useMemo, useState } from 'react'
import { useEvent } from 'react-admin'
import { type Location, useLocation, useNavigate } from 'react-router'
import { type ListQuery, largestPageSize, readListQuery, writeListQuery } from './listQuery.ts'

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
