import type {
  RouterBlocker,
  RouterBlockerFunction,
  RouterLinkProps,
  RouterNavigateFunction,
  RouterProvider,
} from 'ra-core'
import { createContext, type MouseEvent, use, useEffect, useSyncExternalStore } from 'react'
import { useEvent } from 'react-admin'
import {
  matchPath,
  Navigate,
  Outlet,
  Route,
  Routes,
  useHref,
  useInRouterContext,
  useLinkClickHandler,
  useLocation,
  useMatch,
  useParams,
} from 'react-router'
import type { Navigation } from './navigation.ts'

export const NavigationContext = createContext<Navigation | undefined>(undefined)

/** Inside of the console, where the address and its history are. */
function useNavigation(): Navigation {
  const navigation = use(NavigationContext)
  if (!navigation) throw new Error('The hooks of the router need a ConsoleRouter around them.')
  return navigation
}

/** Always the same function. React-router's hook draws all that use it anew with every change of the address. */
const useNavigate = (): RouterNavigateFunction => useNavigation().navigate as RouterNavigateFunction

function useBlocker(shouldBlock: RouterBlockerFunction | boolean): RouterBlocker {
  const navigation = useNavigation()
  const decide = useEvent<Parameters<RouterBlockerFunction>, boolean>((move) =>
    typeof shouldBlock === 'function' ? shouldBlock(move) : shouldBlock,
  )
  useEffect(() => navigation.addBlocker(decide), [navigation, decide])
  return useSyncExternalStore(navigation.subscribeBlockers, () => navigation.blockerOf(decide))
}

function Link({ to, replace, state, target, onClick, ...rest }: RouterLinkProps) {
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { replace, state, target })
  const followUnlessPrevented = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (!event.defaultPrevented) follow(event)
  }
  return <a {...rest} href={useHref(to)} target={target} onClick={followUnlessPrevented} />
}

/** What react-admin needs of a router, without what its default brings along: docs/decisions/router.md. */
export const routerProvider: RouterProvider = {
  useNavigate,
  useLocation,
  useParams: useParams as RouterProvider['useParams'],
  useBlocker,
  useMatch: useMatch as RouterProvider['useMatch'],
  useInRouterContext,
  useCanBlock: () => true,
  Link,
  Navigate,
  Route: Route as RouterProvider['Route'],
  Routes,
  Outlet,
  // Not a Fragment: React warns of the basename that it is given.
  RouterWrapper: ({ children }) => children,
  matchPath: matchPath as RouterProvider['matchPath'],
}
