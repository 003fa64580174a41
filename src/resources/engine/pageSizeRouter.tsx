import { type ComponentType, useMemo } from 'react'
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
function narrows(to: RouterTo): boolean {
  if (typeof to === 'string' || to.pathname !== undefined || !to.search) return false
  const filterIn = (search: string) => new URLSearchParams(writeSearch(search)).get('filter')
  return filterIn(to.search) !== filterIn(window.location.search)
}

const { useLocation, useNavigate, Link, Navigate } = reactRouterProvider

const PlainLink = Link as ComponentType<RouterLinkProps>

/** React-admin's router, with the page size under the product's name wherever an address is read or written. */
export const pageSizeRouter: RouterProvider = {
  ...reactRouterProvider,
  useLocation: () => {
    const location = useLocation()
    return useMemo<RouterLocation>(() => ({ ...location, search: readSearch(location.search) }), [location])
  },
  useNavigate: () => {
    const navigate = useNavigate()
    return useMemo(
      () => (to, options) => {
        if (typeof to === 'number') navigate(to, options)
        else navigate(written(to), narrows(to) ? { ...options, replace: true } : options)
      },
      [navigate],
    )
  },
  Link: (props) => <PlainLink {...props} to={written(props.to)} />,
  Navigate: (props) => <Navigate {...props} to={written(props.to)} />,
}
