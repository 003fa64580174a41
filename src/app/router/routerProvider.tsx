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
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type Location,
  matchPath,
  Navigate,
  type NavigateOptions,
  type NavigationType,
  type Navigator,
  Outlet,
  Route,
  Router,
  Routes,
  resolvePath,
  type To,
  useHref,
  useInRouterContext,
  useLinkClickHandler,
  useLocation,
  useMatch,
  useParams,
} from 'react-router'
import { createEmitter } from '../../events/emitter.ts'

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

/** The current location, and the kind of navigation that led to it. */
export interface Place {
  location: Location
  action: NavigationType
}

/** The browser's history, and blockers that can stop a navigation until a person has answered. */
interface Navigation {
  /** For the router: where its links and hooks go to. */
  navigator: Navigator
  /**
   * Goes to an address. Without a path it is that of the page, to which a relative path is resolved. A number goes so many
   * entries forward in the history, a negative one back.
   */
  navigate: (to: To | number, options?: NavigateOptions) => void
  place: () => Place
  /**
   * Calls `listener` after each navigation; `flushSync` is what the navigation asked for. Also starts to listen to the
   * back button. Returns how to stop both.
   */
  listen: (listener: (place: Place, flushSync: boolean) => void) => () => void
  /** Asks `shouldBlock` before navigations, unless a later one is there. Returns how to stop. */
  addBlocker: (shouldBlock: RouterBlockerFunction) => () => void
  /** The state of a blocker after the last navigation that it was asked about. */
  blockerOf: (shouldBlock: RouterBlockerFunction) => RouterBlocker
  /** Calls `listener` when `blockerOf` may answer something else. Returns how to unsubscribe. */
  subscribeBlockers: (listener: () => void) => () => void
}

const unblocked: RouterBlocker = { state: 'unblocked', reset: undefined, proceed: undefined, location: undefined }

/** Follows the address of this page. */
export function createNavigation(): Navigation {
  const history = createBrowserHistory()
  const moves = createEmitter<[Place, boolean]>()
  const blockerChanges = createEmitter()
  const blockers: RouterBlockerFunction[] = []
  /** The navigation that waits for an answer, or goes on after it. */
  let stopped: { by: RouterBlockerFunction; blocker: RouterBlocker } | undefined
  /** Called in place of the listeners when the browser is back at the page that asks the question. */
  let onReturned: (() => void) | undefined
  let place: Place = { location: history.location, action: history.action }

  function setStopped(now: typeof stopped): void {
    stopped = now
    blockerChanges.emit()
  }

  function arrive(action: NavigationType, flushSync = false): void {
    place = { location: history.location, action }
    if (stopped) setStopped(undefined)
    moves.emit(place, flushSync)
  }

  function blockerOfMove(nextLocation: Location, historyAction: NavigationType): RouterBlockerFunction | undefined {
    const last = blockers.at(-1)
    if (!last || (stopped?.by === last && stopped.blocker.state === 'proceeding')) return undefined
    return last({ currentLocation: place.location, nextLocation, historyAction }) ? last : undefined
  }

  function stop(by: RouterBlockerFunction, location: Location, goOn: () => void): void {
    const reset = () => setStopped(undefined)
    const proceed = () => {
      setStopped({ by, blocker: { state: 'proceeding', reset: undefined, proceed: undefined, location } })
      goOn()
    }
    setStopped({ by, blocker: { state: 'blocked', location, reset, proceed } })
  }

  function go(action: 'PUSH' | 'REPLACE', to: To, state: unknown, options: NavigateOptions = {}): void {
    const type = action as NavigationType
    const location = locationOf(to, place.location, state)
    const by = blockerOfMove(location, type)
    if (by) {
      stop(by, location, () => go(action, to, state, options))
      return
    }
    if (action === 'PUSH') history.push(to, state)
    else history.replace(to, state)
    arrive(type, options.flushSync)
  }

  function onPop({ action, location, delta }: { action: NavigationType; location: Location; delta: number | null }) {
    if (onReturned) {
      onReturned()
      onReturned = undefined
      return
    }
    const by = blockerOfMove(location, action)
    // Without a delta it is an entry that the router has not made, which cannot be returned from.
    if (!by || !delta) return arrive(action)
    const returned = new Promise<void>((resolve) => {
      onReturned = resolve
    })
    history.go(-delta)
    stop(by, location, () => void returned.then(() => history.go(delta)))
  }

  function navigate(to: To | number, options: NavigateOptions = {}): void {
    if (typeof to === 'number') history.go(to)
    else go(options.replace ? 'REPLACE' : 'PUSH', resolvePath(to, place.location.pathname), options.state, options)
  }

  return {
    navigate,
    navigator: {
      createHref: history.createHref,
      encodeLocation: history.encodeLocation,
      go: history.go,
      push: (to, state, options) => go('PUSH', to, state, options),
      replace: (to, state, options) => go('REPLACE', to, state, options),
    },
    place: () => place,
    listen(listener) {
      const [unsubscribe, unlisten] = [moves.subscribe(listener), history.listen(onPop)]
      return () => {
        unsubscribe()
        unlisten()
      }
    },
    addBlocker(shouldBlock) {
      blockers.push(shouldBlock)
      return () => {
        blockers.splice(blockers.indexOf(shouldBlock), 1)
        if (stopped?.by === shouldBlock) setStopped(undefined)
      }
    },
    blockerOf: (shouldBlock) => (stopped?.by === shouldBlock ? stopped.blocker : unblocked),
    subscribeBlockers: blockerChanges.subscribe,
  }
}

/** The location that `to` leads to, as blockers get it. */
function locationOf(to: To, from: Location, state: unknown): Location {
  const { pathname, search, hash } = typeof to === 'string' ? new URL(to, window.location.href) : to
  return {
    pathname: pathname ?? from.pathname,
    search: search ?? '',
    hash: hash ?? '',
    state,
    key: '',
    mask: undefined,
  }
}
