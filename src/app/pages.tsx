import type { ReactElement } from 'react'
import type { NamedPage, ResourceEntry } from '../engine/define/page.tsx'
import { type LazyPart, lazyPart } from '../engine/parts/lazyPart.tsx'
import { prepareScreen } from '../engine/screens.tsx'
import { notificationSetup } from '../resources/notification/setup/notificationSetup.ts'
import { consolePath } from '../schemas/consolePath.ts'
import { isStartPath, isTerminalPath } from '../session/signInAddress.ts'

const ClusterPage = lazyPart(() => import('../custom/cluster/ClusterPage.tsx'))
const ConfigurationPage = lazyPart(() => import('../custom/configuration/ConfigurationPage.tsx'))
const CostsPage = lazyPart(() => import('../custom/costs/CostsPage.tsx'))
const CronCalendarPage = lazyPart(() => import('../custom/calendar/CronCalendarPage.tsx'))
const InspectPage = lazyPart(() => import('../resources/server/inspect/InspectPage.tsx'))
const ImportPage = lazyPart(() => import('../custom/imports/ImportPage.tsx'))
const NotificationSetupPage = lazyPart(() => import('../resources/notification/setup/NotificationSetupPage.tsx'))
const OpenTerminalsPage = lazyPart(() => import('../custom/terminal/list/OpenTerminalsPage.tsx'))
const ProfilePage = lazyPart(() => import('../custom/profile/ProfilePage.tsx'))
const RecentChangesPage = lazyPart(() => import('../custom/recentChanges/RecentChangesPage.tsx'))
const SecurityPage = lazyPart(() => import('../custom/security/SecurityPage.tsx'))
const SettingsPage = lazyPart(() => import('../custom/settings/SettingsPage.tsx'))
const SharedFilesPage = lazyPart(() => import('../custom/sharedFiles/SharedFilesPage.tsx'))
const TerminalPage = lazyPart(() => import('../custom/terminal/TerminalPage.tsx'))

/** A hand-made page. */
export interface Page {
  /** Below `consolePath`, as `terminal/:id`. */
  path: string
  /** Loaded on the first visit. */
  element: ReactElement
  /** Whether it fills its tab alone, without header, navigation and footer. */
  alone?: boolean
}

/** Pages without a name. Every element is lazy, so that none of them is in the first load. */
export const pages: readonly Page[] = [
  { path: 'terminal/:id', element: <TerminalPage />, alone: true },
  { path: 'server/:id/inspect/:subject', element: <InspectPage /> },
  { path: 'ask/:question', element: <InspectPage /> },
  { path: 'share', element: <SharedFilesPage /> },
  { path: 'terminals/recordings/:recording', element: <OpenTerminalsPage /> },
]

/** A page whose code comes with its first drawing, or ahead of that. */
const lazyPage = (Part: LazyPart<object>) => ({ element: <Part />, prepare: Part.prepare })

/** Pages with a name: the command palette leads to them, and a section may begin with one. */
export const namedPages: readonly (NamedPage & Pick<LazyPart<object>, 'prepare'>)[] = [
  { path: 'profile', labelKey: 'app.shell.profile', access: 'user', ...lazyPage(ProfilePage) },
  {
    path: 'terminals',
    labelKey: 'app.shell.terminals',
    access: 'user',
    announced: 'terminal_flow',
    ...lazyPage(OpenTerminalsPage),
  },
  {
    path: 'recent-changes',
    labelKey: 'app.shell.recent_changes',
    access: 'user',
    ...lazyPage(RecentChangesPage),
  },
  {
    ...notificationSetup,
    access: 'user',
    ...lazyPage(NotificationSetupPage),
  },
  {
    path: 'server-group/costs',
    labelKey: 'app.shell.costs',
    access: 'user',
    announced: 'contracts',
    lastTabOf: 'server-group',
    ...lazyPage(CostsPage),
  },
  {
    path: 'cron/calendar',
    labelKey: 'app.shell.cron_calendar',
    access: 'user',
    lastTabOf: 'cron',
    ...lazyPage(CronCalendarPage),
  },
  {
    path: 'settings',
    labelKey: 'app.shell.settings',
    access: 'admin',
    firstTabOf: 'settings',
    instead: 'online-user',
    ...lazyPage(SettingsPage),
  },
  {
    path: 'settings/configuration',
    labelKey: 'app.shell.configuration',
    access: 'admin',
    lastTabOf: 'settings',
    ...lazyPage(ConfigurationPage),
  },
  {
    path: 'settings/import',
    labelKey: 'app.shell.import',
    access: 'admin',
    announced: 'imports',
    lastTabOf: 'settings',
    ...lazyPage(ImportPage),
  },
  {
    path: 'settings/security',
    labelKey: 'app.shell.security',
    access: 'admin',
    lastTabOf: 'settings',
    ...lazyPage(SecurityPage),
  },
  {
    path: 'settings/cluster',
    labelKey: 'app.shell.cluster',
    access: 'admin',
    lastTabOf: 'settings',
    announced: 'cluster',
    ...lazyPage(ClusterPage),
  },
]

/** Milliseconds in which files come that the browser has kept. On a slow line the layout stands before the screen. */
const pageWaitMs = 100

/**
 * Fetches the screen at an address, so that the first drawing has it: React hides for 300 ms what has suspended. A page
 * that fills its tab alone is waited for until it is there, because there is nothing else to draw, and so is the start
 * page, which has come with the console.
 */
export async function preparePage(address: string, resources: readonly ResourceEntry[]): Promise<void> {
  if (isTerminalPath(address)) return TerminalPage.prepare()
  if (isStartPath(address)) return prepareScreen(resources, consolePath, address)
  const page = namedPages.find(({ path }) => address.replace(/\/+$/, '') === `${consolePath}/${path}`)
  await waitAtMost(pageWaitMs, page ? page.prepare() : prepareScreen(resources, consolePath, address))
}

/** Waits for work, but no longer than so many milliseconds; the work goes on. Rejects when it fails in that time. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const waited = new Promise<void>((resolve) => setTimeout(resolve, ms))
  await Promise.race([work, waited])
}
