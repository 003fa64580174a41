import type { QueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { type AuthProvider, CoreAdminContext, type I18nProvider, useAuthState, useScrollToTop } from 'react-admin'
import {
  createRoutesFromElements,
  matchRoutes,
  Navigate,
  Outlet,
  Route,
  type RouteObject,
  renderMatches,
  useLocation,
} from 'react-router'
import { AccessDeniedPage, AuthenticationErrorPage, NotFoundPage } from '../components/ErrorPage.tsx'
import { ScreenAddressContext } from '../components/messages/screenAddress.ts'
import { ConsoleTheme } from '../components/theme/ConsoleTheme.tsx'
import { useSetting } from '../components/useSetting.ts'
import type { ConsoleDataProvider } from '../dataProvider.ts'
import { SingletonsContext } from '../engine/actions/useUsedBy.ts'
import { AnnouncedFeaturesContext, RefusedLists, type ResourceEntry } from '../engine/define/page.tsx'
import { ValueWordsContext } from '../engine/history/useFieldText.ts'
import { RecordPathsContext } from '../engine/kinds/reference/recordAddress.ts'
import { KeyHelpShortcut, PaletteShortcut } from '../engine/palette/shortcuts.tsx'
import { IdentityProvider } from '../engine/parts/identity.tsx'
import { ShownOnce } from '../engine/parts/ShownOnce.tsx'
import { menuOf, recordPathsOf, routesOf, screenAddresses, sectionNamed } from '../engine/routes.tsx'
import { consolePath } from '../schemas/consolePath.ts'
import { runCustomCode } from '../site/customCode.ts'
import { MenuContext, SettingsContext } from './layout/header/Navigation.tsx'
import { ErrorBoundary, Layout } from './layout/Layout.tsx'
import { SignInDialog, StepUpDialogs } from './layout/SessionDialogs.tsx'
import { startAppLifetime } from './lifetime.ts'
import { namedPages, type Page, pages } from './pages.tsx'
import { preferenceStore } from './preferenceStore.ts'
import { routerProvider } from './router/routerProvider.tsx'

interface ConsoleProps {
  resources: readonly ResourceEntry[]
  authProvider: AuthProvider
  dataProvider: ConsoleDataProvider
  i18nProvider: I18nProvider
  queryClient: QueryClient
}

/**
 * The console under its address. Place it in a `ConsoleRouter`. Its routes stand in for react-admin's own, which are put
 * together in several drawings: see docs/decisions/start.md.
 */
export function Console(props: ConsoleProps) {
  const { pathname } = useLocation()
  // `Routes` would draw every route on the way to a screen again with each change of the address.
  const [elementAt] = useState(() => elementsByPath(createRoutesFromElements(routesOfConsole(props))))
  return elementAt(pathname)
}

const loadValueWords = () => import('../resources/valueWords.ts').then(({ default: words }) => words)

/** How many addresses are remembered. */
const mostPaths = 100

/** Finds what to draw at an address. Comparing one with all routes takes as long as drawing two rows of a list. */
function elementsByPath(routes: RouteObject[]): (pathname: string) => ReturnType<typeof renderMatches> {
  const found = new Map<string, ReturnType<typeof renderMatches>>()
  return (pathname) => {
    const known = found.get(pathname)
    if (known !== undefined) return known
    const element = renderMatches(matchRoutes(routes, pathname))
    if (found.size >= mostPaths) found.clear()
    found.set(pathname, element)
    return element
  }
}

function routesOfConsole(props: ConsoleProps) {
  return (
    <>
      <Route path={consolePath} element={<ConsoleProviders {...props} />}>
        {pages.filter(({ alone }) => alone).map(routeAlone)}
        <Route element={<Screens />}>
          {pages.filter(({ alone }) => !alone).map(routeOf)}
          {routesOf(props.resources, namedPages)}
          <Route path="access-denied" element={<AccessDeniedPage />} />
          <Route path="authentication-error" element={<AuthenticationErrorPage />} />
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Route>
      {/* Only a development server answers other addresses with this page. */}
      <Route path="*" element={<Navigate to={consolePath} replace />} />
    </>
  )
}

function ConsoleProviders({ resources, i18nProvider, queryClient, ...providers }: ConsoleProps) {
  const [store] = useState(() => preferenceStore(i18nProvider.getLocale()))
  const [menu] = useState(() => menuOf(resources, consolePath))
  const [recordPaths] = useState(() => recordPathsOf(resources))
  const [screenOf] = useState(() => screenAddresses(resources, consolePath))
  const [settings] = useState(() => sectionNamed('settings', resources, namedPages))
  useEffect(() => startAppLifetime(queryClient), [queryClient])
  return (
    <ConsoleTheme>
      <CoreAdminContext
        {...providers}
        basename={consolePath}
        i18nProvider={i18nProvider}
        queryClient={queryClient}
        routerProvider={routerProvider}
        store={store}
      >
        <IdentityProvider>
          <MenuContext value={menu}>
            <RefusedLists>
              <SettingsContext value={settings}>
                <ScreenAddressContext value={screenOf}>
                  <SettingProviders>
                    <RecordPathsContext value={recordPaths}>
                      <ValueWordsContext value={loadValueWords}>
                        <Outlet />
                      </ValueWordsContext>
                    </RecordPathsContext>
                    <PaletteShortcut resources={resources} namedPages={namedPages} />
                    <KeyHelpShortcut />
                  </SettingProviders>
                </ScreenAddressContext>
              </SettingsContext>
            </RefusedLists>
          </MenuContext>
          <SignInDialog />
          <StepUpDialogs />
          <ShownOnce />
          <SessionCheck />
        </IdentityProvider>
      </CoreAdminContext>
    </ConsoleTheme>
  )
}

/** The layout, and in it the screen that the address asks for. */
function Screens() {
  useScrollToTop()
  return (
    <ErrorBoundary resetKey={useLocation().key}>
      <Layout>
        <Outlet />
      </Layout>
    </ErrorBoundary>
  )
}

/** Asks the auth provider once whether there is still a session; its own component, because each check redraws it. */
function SessionCheck() {
  useAuthState(undefined, false)
  return null
}

const routeOf = ({ path, element }: Page) => <Route key={path} path={path} element={element} />

/** Without the layout there is nothing around a page that waits for it or catches its failure. */
const routeAlone = ({ path, element }: Page) => (
  <Route
    key={path}
    path={path}
    element={
      <ErrorBoundary resetKey={path}>
        <Suspense fallback={null}>{element}</Suspense>
      </ErrorBoundary>
    }
  />
)

/**
 * Applies the server's settings to all pages: screens know what the server supports, deletions know which records the
 * settings refer to, and the operator's custom code runs.
 */
function SettingProviders({ children }: { children: ReactNode }) {
  const setting = useSetting()
  useEffect(() => {
    if (setting) runCustomCode(setting.config.custom_code_dashboard)
  }, [setting])
  const announced = useMemo(
    () => setting && new Set(Object.keys(setting.wheelhouse ?? {}).filter((key) => setting.wheelhouse?.[key])),
    [setting],
  )
  const config = setting?.config
  const singletons = useMemo(
    () => (config ? [{ loadEntity, record: config, title: 'app.usage.settings', fieldTitle }] : []),
    [config],
  )
  return (
    <AnnouncedFeaturesContext value={announced}>
      <SingletonsContext value={singletons}>{children}</SingletonsContext>
    </AnnouncedFeaturesContext>
  )
}

const loadEntity = async () => (await import('../schemas/settings/siteSetting.ts')).siteSetting

const fieldTitle = (field: string) => `app.usage.setting_fields.${field}`
