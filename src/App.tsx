import { useEffect, useState } from 'react'
import { CoreAdminContext, CoreAdminUI, CustomRoutes, type I18nProvider, memoryStore } from 'react-admin'
import { createBrowserRouter, Navigate, RouterProvider } from 'react-router'
import { mayReconnect } from './apiClient.ts'
import { createAuthProvider } from './authProvider.ts'
import { ErrorPage, NotFoundPage } from './custom/error/ErrorPage.tsx'
import { ConsoleTheme } from './custom/layout/ConsoleTheme.tsx'
import { Layout } from './custom/layout/Layout.tsx'
import { MenuContext } from './custom/layout/menu.ts'
import { dataProvider } from './dataProvider.ts'
import { startLive, stopLive, stopLiveEverywhere } from './live/store.ts'
import { queryClient, refreshOnReturn } from './queryClient.ts'
import { checkRegistry } from './resources/engine/checkRegistry.ts'
import { pageSizeRouter } from './resources/engine/pageSizeRouter.tsx'
import { menuOf, routesOf } from './resources/engine/routes.tsx'
import { resources } from './resources/index.ts'
import { entities } from './schemas/index.ts'

checkRegistry(entities, resources)

const basename = '/dashboard'
const authProvider = createAuthProvider(stopLiveEverywhere)
// The choices that outlive a visit, language and theme, have entries of their own that the sign-in form shares.
const store = memoryStore()
const menu = menuOf(resources, basename)
const createRouter = (i18nProvider: I18nProvider) =>
  createBrowserRouter([
    { path: `${basename}/*`, element: <Console i18nProvider={i18nProvider} /> },
    // Only a development server answers other addresses with this page.
    { path: '*', element: <Navigate to={basename} replace /> },
  ])

/** The console behind the login page. @param i18nProvider its translator, ready in the first language */
export default function App({ i18nProvider }: { i18nProvider: I18nProvider }) {
  const [router] = useState(() => createRouter(i18nProvider))
  return <RouterProvider router={router} />
}

function Console({ i18nProvider }: { i18nProvider: I18nProvider }) {
  useEffect(() => {
    startLive({ mayReconnect })
    const stopRefreshing = refreshOnReturn(queryClient)
    return () => {
      stopRefreshing()
      stopLive()
    }
  }, [])
  return (
    <ConsoleTheme>
      <CoreAdminContext
        basename={basename}
        authProvider={authProvider}
        dataProvider={dataProvider}
        i18nProvider={i18nProvider}
        queryClient={queryClient}
        routerProvider={pageSizeRouter}
        store={store}
      >
        <MenuContext value={menu}>
          <CoreAdminUI layout={Layout} catchAll={NotFoundPage} error={ErrorPage} disableTelemetry requireAuth>
            <CustomRoutes>{routesOf(resources)}</CustomRoutes>
          </CoreAdminUI>
        </MenuContext>
      </CoreAdminContext>
    </ConsoleTheme>
  )
}
