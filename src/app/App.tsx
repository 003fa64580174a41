import { useState } from 'react'
import { flushSync } from 'react-dom'
import { createBrowserRouter, RouterProvider } from 'react-router'
import type { ConsoleI18nProvider } from '../../i18n/index.ts'
import { createAuthProvider } from '../authProvider.ts'
import { dataProvider } from '../dataProvider.ts'
import { queryClient } from '../records/queryClient.ts'
import { validateDefinitions } from '../resources/engine/define/validateDefinitions.ts'
import { prepareParts } from '../resources/engine/parts/lazyPart.tsx'
import { resources } from '../resources/index.ts'
import { entities } from '../schemas/index.ts'
import type { CurrentUser } from '../session/currentUser.ts'
import { consoleRoutes } from './Console.tsx'

validateDefinitions(entities, resources)

interface AppProps {
  /** Who is signed in. */
  person: CurrentUser
  /** The translator, ready in the first language. */
  i18nProvider: ConsoleI18nProvider
}

/** For navigations that ask for it: another order of a list is drawn before anybody can type the next letter. */
function drawNow(draw: () => unknown): undefined {
  flushSync(draw)
}

/** The console behind the login page. */
export default function App({ person, i18nProvider }: AppProps) {
  const [router] = useState(() => {
    prepareParts(i18nProvider.complete)
    const authProvider = createAuthProvider(queryClient, person)
    return createBrowserRouter(consoleRoutes({ resources, authProvider, dataProvider, i18nProvider, queryClient }))
  })
  return <RouterProvider router={router} flushSync={drawNow} />
}
