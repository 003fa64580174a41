import { useEffect, useState } from 'react'
import type { ConsoleI18nProvider } from '../../i18n/index.ts'
import { createAuthProvider } from '../authProvider.ts'
import { settingQuery } from '../components/useSetting.ts'
import { dataProvider } from '../dataProvider.ts'
import { validateDefinitions } from '../engine/define/validateDefinitions.ts'
import { prepareParts } from '../engine/parts/lazyPart.tsx'
import { screensOf } from '../engine/screens.tsx'
import { queryClient } from '../records/queryClient.ts'
import { resources } from '../resources/index.ts'
import { entities } from '../schemas/index.ts'
import type { Setting } from '../schemas/settings/setting.ts'
import type { CurrentUser } from '../session/currentUser.ts'
import { isStartPath } from '../session/signInAddress.ts'
import { Console } from './Console.tsx'
import { preparePage, waitAtMost } from './pages.tsx'
import { ConsoleRouter, createNavigation } from './router/routerProvider.tsx'

// A unit test validates the definitions of a build; validating here would load them all at every start.
if (import.meta.env.DEV) void validateDefinitions(entities, resources)

/** Milliseconds. Replies that were asked for early are mostly there by the time the console can be drawn. */
const dataWaitMs = 20

/**
 * Waits a moment for the settings, and on the start page for its records: with them, header, list and rows are drawn
 * once, and not once more when they arrive.
 */
async function readFirstData(address: string): Promise<void> {
  const list = resources.find(({ path }) => path === '')?.entity.name
  const read = Promise.allSettled([
    queryClient.prefetchQuery(settingQuery(dataProvider)),
    // What fails is asked for again, and shown, by the list.
    isStartPath(address) && list && dataProvider.getList(list, {}),
  ])
  await waitAtMost(dataWaitMs, read)
}

/** Waits for what the first drawing needs. */
export async function prepareFirstDrawing(i18nProvider: ConsoleI18nProvider): Promise<void> {
  prepareParts(i18nProvider.complete)
  const address = window.location.pathname
  await Promise.all([readFirstData(address), preparePage(address, resources)])
}

interface AppProps {
  /** Who is signed in. */
  person: CurrentUser
  /** The translator, ready in the first language. */
  i18nProvider: ConsoleI18nProvider
}

/** Milliseconds: looking for changes must not delay the first list, even on a slow line. */
const lookDelayMs = 6_000

/** Says what others have changed since the last visit. */
async function lookForChangesByOthers(person: CurrentUser): Promise<void> {
  try {
    const { findChangesByOthers } = await import('../lastVisit/findChangesByOthers.ts')
    const setting = queryClient.getQueryData<Setting>(['setting'])
    if (setting) await findChangesByOthers(dataProvider, person, setting.wheelhouse?.changes === true)
  } catch (error) {
    // Nobody asked for this, so no error is shown; the next visit looks again.
    console.warn(error)
  }
}

/** Milliseconds without a call, after which the first screen has what it needs and time to be drawn. */
const quietMs = 1_000

/** Fetches menus and the other screens ahead, once the first one is drawn: earlier they would only delay that. */
function fetchAhead(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const unsubscribe = queryClient.getQueryCache().subscribe(() => {
    clearTimeout(timer)
    if (queryClient.isFetching() > 0) return
    timer = setTimeout(() => {
      unsubscribe()
      // Opening a menu fetches it again, and reports a failure.
      void import('../engine/parts/Menu.tsx').catch(() => {})
      for (const entry of resources) void screensOf(entry).List.prepare()
      // Without it, paper has the look of the screen, and the console is no app.
      import('./afterFirstScreen.ts').then((later) => later.default()).catch(() => {})
    }, quietMs)
  })
  return () => {
    clearTimeout(timer)
    unsubscribe()
  }
}

/** The console behind the login page. */
export default function App({ person, i18nProvider }: AppProps) {
  const [providers] = useState(() => {
    const authProvider = createAuthProvider(queryClient, person)
    return { resources, authProvider, dataProvider, i18nProvider, queryClient }
  })
  const [navigation] = useState(createNavigation)
  useEffect(fetchAhead, [])
  useEffect(() => {
    const timer = setTimeout(() => void lookForChangesByOthers(person), lookDelayMs)
    return () => clearTimeout(timer)
  }, [person])
  return (
    <ConsoleRouter navigation={navigation}>
      <Console {...providers} />
    </ConsoleRouter>
  )
}
