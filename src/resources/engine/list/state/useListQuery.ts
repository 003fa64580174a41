import { useEffect, useMemo, useState } from 'react'
import { useEvent } from 'react-admin'
import { type Location, useLocation, useNavigate } from 'react-router'
import { type ListQuery, readListQuery, writeListQuery } from './listQuery.ts'

/** Milliseconds without another letter, after which the address says what the list shows. */
const addressDelay = 300

/**
 * The query of the list on screen, which lives in the address.
 *
 * Filters, the search among them, apply at once. The address follows when nothing was typed for 300 ms, or before
 * somebody uses a link: a navigation for each letter would redraw everything that depends on the address, and would be
 * a step of the back button. Sort, page and page size go through the address, each a step of the back button.
 *
 * @param defaults used where the address does not say
 */
export function useListQuery({ sort, perPage }: Pick<ListQuery, 'sort' | 'perPage'>) {
  const location = useLocation()
  const navigate = useNavigate()
  // Forgotten when the location changes in any other way: by the back button, a link, a saved view.
  const [typed, setTyped] = useState<{ location: Location; search: string }>()
  const search = typed?.location === location ? typed.search : location.search
  const isAhead = search !== location.search
  const read = useMemo(() => readListQuery(search, { sort, perPage }), [search, sort, perPage])
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
    // Links below have to be drawn with the new query before the click reaches them.
    const writeNow = () => writeAddress({ flushSync: true })
    for (const event of addressUses) window.addEventListener(event, writeNow, true)
    return () => {
      clearTimeout(timer)
      for (const event of addressUses) window.removeEventListener(event, writeNow, true)
    }
  }, [isAhead, search, writeAddress])

  return {
    query,
    setFilters: useEvent((filter: ListQuery['filter']) =>
      setTyped({ location, search: writeListQuery(search, { filter, page: 1 }) }),
    ),
    setSort: useEvent((newSort: ListQuery['sort']) =>
      // In one go: the next letter must not be typed into the old order.
      navigate({ search: writeListQuery(search, { ...query, sort: newSort, page: 1 }) }, { flushSync: true }),
    ),
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

/** What may read the address or leave it. */
const addressUses = ['pointerdown', 'click', 'pagehide'] as const
