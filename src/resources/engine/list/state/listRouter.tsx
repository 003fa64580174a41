import { type ComponentType, createContext, use, useMemo, useSyncExternalStore } from 'react'
import {
  type RouterLinkProps,
  type RouterLocation,
  type RouterProvider,
  type RouterTo,
  reactRouterProvider,
} from 'react-admin'

const defaultSize = 10
const largestSize = 100

/** The address says `pageSize`, react-admin reads `perPage`; sizes other than 1 to 100 count as the default. */
export function readSearch(search: string): string {
  const query = new URLSearchParams(search)
  const asked = query.get('pageSize')
  query.delete('pageSize')
  query.delete('perPage')
  if (asked !== null) {
    const size = /^\d{1,3}$/.test(asked) ? Number(asked) : 0
    query.set('perPage', String(size >= 1 && size <= largestSize ? size : defaultSize))
  }
  const page = query.get('page')
  if (page !== null && !/^[1-9]\d{0,8}$/.test(page)) query.set('page', '1')
  return query.size > 0 ? `?${query}` : ''
}

/** Writes react-admin's parameters as the product's; what says nothing (an empty filter) is left out. */
export function writeSearch(search: string): string {
  const query = new URLSearchParams(search)
  const size = query.get('perPage')
  query.delete('perPage')
  if (size !== null) query.set('pageSize', size)
  for (const key of ['filter', 'displayedFilters']) {
    if (['{}', 'undefined', ''].includes(query.get(key) ?? '')) query.delete(key)
  }
  return query.size > 0 ? `?${query}` : ''
}

function written(to: RouterTo): RouterTo {
  if (typeof to !== 'string') return to.search ? { ...to, search: writeSearch(to.search) } : to
  const [, path = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(to) ?? []
  return `${path}${writeSearch(search)}${hash}`
}

/** Whether only the list's filter changes: each typed letter would else be a step of the back button. */
function narrows(to: RouterTo, now: string): to is Exclude<RouterTo, string> & { search: string } {
  if (typeof to === 'string' || to.pathname !== undefined || !to.search) return false
  const filterIn = (search: string) => new URLSearchParams(writeSearch(search)).get('filter')
  return filterIn(to.search) !== filterIn(now)
}

/** Whether only the list's query changes: sort, page, filter. */
const staysHere = (to: RouterTo) => typeof to !== 'string' && to.pathname === undefined

/** The router's own option, which react-admin does not know: the list is drawn in one go, not between other work. */
const atOnce = { flushSync: true }

/**
 * Whether what stands below follows a search letter by letter: a list's controller does. All else that looks at the
 * address would be drawn with each letter, before the rows; it hears of the search when the address does.
 */
export const FollowsTyping = createContext(false)

/**
 * A search that the router does not know: as the list shows it, as the address says it, and which location it is of.
 */
let ahead: { location: RouterLocation; search: string; written?: string } | undefined
let waiting: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Milliseconds without another letter, after which the address says what the list shows. */
const pauseMs = 300

/** What may use the address: it is written before anybody leaves or follows a link. */
const uses = ['pagehide', 'popstate', 'pointerdown', 'focusout', 'click'] as const

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function tellListeners(): void {
  for (const listener of listeners) listener()
}

function goAhead(location: RouterLocation, search: string): void {
  const written = ahead?.location === location ? ahead.written : undefined
  ahead = { location, search, written }
  clearTimeout(waiting)
  waiting = setTimeout(writeAddress, pauseMs)
  for (const event of uses) window.addEventListener(event, writeAddress, true)
  tellListeners()
}

/** The router need not hear of it: its own place in the history stays the same. */
function writeAddress(): void {
  if (waiting === undefined) return
  clearTimeout(waiting)
  waiting = undefined
  for (const event of uses) window.removeEventListener(event, writeAddress, true)
  // Somebody who is on the way to elsewhere must not find this search there.
  if (ahead && ahead.location.key === historyEntry()) {
    window.history.replaceState(window.history.state, '', ahead.search || '?')
    ahead.written = ahead.search
  }
  tellListeners()
}

/** The router's mark on the history entry that is shown; the first one of a visit has none in the history. */
const historyEntry = (): string => window.history.state?.key ?? 'default'

const { useLocation, useNavigate, Link, Navigate } = reactRouterProvider

const PlainLink = Link as ComponentType<RouterLinkProps>

/**
 * React-admin's router, with the page size under the product's name wherever an address is read or written. A letter
 * of a search reaches the list at once, and the address when the typing pauses or somebody goes elsewhere.
 */
export const pageSizeRouter: RouterProvider = {
  ...reactRouterProvider,
  useLocation: () => {
    const location = useLocation()
    const followsTyping = use(FollowsTyping)
    const typed = useSyncExternalStore(listen, () =>
      ahead?.location === location ? (followsTyping ? ahead.search : ahead.written) : undefined,
    )
    return useMemo<RouterLocation>(
      () => ({ ...location, search: readSearch(typed ?? location.search) }),
      [location, typed],
    )
  },
  useNavigate: () => {
    const navigate = useNavigate()
    const location = useLocation()
    return useMemo(
      () => (to, options) => {
        const now = ahead?.location === location ? ahead.search : window.location.search
        if (typeof to !== 'number' && narrows(to, now)) return goAhead(location, writeSearch(to.search))
        writeAddress()
        if (typeof to === 'number') navigate(to, options)
        else navigate(written(to), staysHere(to) ? { ...options, ...atOnce } : options)
      },
      [navigate, location],
    )
  },
  Link: ({ onClick, ...props }) => (
    <PlainLink
      {...props}
      to={written(props.to)}
      onClick={(event: unknown) => {
        writeAddress()
        onClick?.(event)
      }}
    />
  ),
  Navigate: (props) => <Navigate {...props} to={written(props.to)} />,
}
