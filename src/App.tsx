import { useState } from 'react'
import type { I18nProvider } from 'react-admin'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { createAuthProvider } from './authProvider.ts'
import { consoleRoutes } from './Console.tsx'
import { dataProvider } from './dataProvider.ts'
import { stopLiveEverywhere } from './live/store.ts'
import { queryClient } from './queryClient.ts'
import { checkRegistry } from './resources/engine/checkRegistry.ts'
import { resources } from './resources/index.ts'
import { entities } from './schemas/index.ts'

checkRegistry(entities, resources)

const authProvider = createAuthProvider(stopLiveEverywhere)
const createRouter = (i18nProvider: I18nProvider) =>
  createBrowserRouter(consoleRoutes({ resources, authProvider, dataProvider, i18nProvider, queryClient }))

/** The console behind the login page. @param i18nProvider its translator, ready in the first language */
export default function App({ i18nProvider }: { i18nProvider: I18nProvider }) {
  const [router] = useState(() => createRouter(i18nProvider))
  return <RouterProvider router={router} />
}
