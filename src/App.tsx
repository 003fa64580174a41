import { useState } from 'react'
import type { I18nProvider } from 'react-admin'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { createAuthProvider } from './authProvider.ts'
import { consoleRoutes } from './Console.tsx'
import { dataProvider } from './dataProvider.ts'
import type { Person } from './person.ts'
import { queryClient } from './queryClient.ts'
import { checkRegistry } from './resources/engine/checkRegistry.ts'
import { resources } from './resources/index.ts'
import { entities } from './schemas/index.ts'

checkRegistry(entities, resources)

interface AppProps {
  /** Who is signed in. */
  person: Person
  /** The translator, ready in the first language. */
  i18nProvider: I18nProvider
}

/** The console behind the login page. */
export default function App({ person, i18nProvider }: AppProps) {
  const [router] = useState(() => {
    const authProvider = createAuthProvider(queryClient, person)
    return createBrowserRouter(consoleRoutes({ resources, authProvider, dataProvider, i18nProvider, queryClient }))
  })
  return <RouterProvider router={router} />
}
