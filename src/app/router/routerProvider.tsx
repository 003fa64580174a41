import type {
  RouterBlocker,
  RouterBlockerFunction,
  RouterLinkProps,
  RouterNavigateFunction,
  RouterProvider,
} from 'ra-core'
import {
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { useEvent } from 'react-admin'
import { flushSync } from 'react-dom'
import {
  matchPath,
  Navigate,
  Outlet,
  Route,
  Router,
  Routes,
  useHref,
  useInRouterContext,
  useLinkClickHandler,
  useLocation,
  useMatch,
  useParams,
} from 'react-router'
import type { Navigation } from './navigation.ts'

const NavigationContext = createContext<Navigation | undefined>(undefined)

interface ConsoleRouterProps {
  navigation: Navigation
  children: ReactNode
}

/** Draws again what depends on the address: at once for navigations that ask for it, else as a transition. */
export function ConsoleRouter({ navigation, children }: ConsoleRouterProps) {
  const [{ location, action }, setPlace] = useState(navigation.place)
  useLayoutEffect(() => {
    setPlace(navigation.place)
    return navigation.listen((place, isSync) => (isSync ? flushSync : startTransition)(() => setPlace(place)))
  }, [navigation])
  return (
    <NavigationContext value={navigation}>
      <Router location={location} navigationType={action} navigator={navigation.navigator}>
        {children}
      </Router>
    </NavigationContext>
  )
}

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
