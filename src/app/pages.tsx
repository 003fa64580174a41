import type { ReactElement } from 'react'
import type { NamedPage } from '../resources/engine/define/namedPage.ts'
import { lazyPart } from '../resources/engine/parts/lazyPart.tsx'
import { isTerminalPath } from '../session/signInAddress.ts'

const ConfigurationPage = lazyPart(() => import('../custom/settings/configuration/ConfigurationPage.tsx'))
const CronCalendarPage = lazyPart(() => import('../custom/cronCalendar/CronCalendarPage.tsx'))
const ProfilePage = lazyPart(() => import('../custom/profile/ProfilePage.tsx'))
const RecentChangesPage = lazyPart(() => import('../custom/recentChanges/RecentChangesPage.tsx'))
const SecurityPage = lazyPart(() => import('../custom/settings/security/SecurityPage.tsx'))
const SettingsPage = lazyPart(() => import('../custom/settings/SettingsPage.tsx'))
const TerminalPage = lazyPart(() => import('../custom/terminal/TerminalPage.tsx'))

/** A hand-made page. */
export interface Page {
  /** Below `/dashboard`, as `terminal/:id`. */
  path: string
  /** Loaded on the first visit. */
  element: ReactElement
  /** Whether it fills its tab alone, without header, navigation and footer. */
  alone?: boolean
}

/** Pages without a name. Every element is lazy, so that none of them is in the first load. */
export const pages: readonly Page[] = [{ path: 'terminal/:id', element: <TerminalPage />, alone: true }]

/**
 * Fetches the page at an address, if it fills its tab alone: until it is there, there is nothing to draw. The first
 * drawing then has it, instead of the 300 ms for which React hides what has suspended.
 */
export const preparePageAlone = async (address: string): Promise<void> => {
  if (isTerminalPath(address)) await TerminalPage.prepare()
}

/** Pages with a name: the command palette leads to them, and a section may begin with one. */
export const namedPages: readonly NamedPage[] = [
  { path: 'profile', labelKey: 'app.shell.profile', access: 'user', element: <ProfilePage /> },
  {
    path: 'recent-changes',
    labelKey: 'app.shell.recent_changes',
    access: 'user',
    element: <RecentChangesPage />,
  },
  {
    path: 'cron/calendar',
    labelKey: 'app.shell.cron_calendar',
    access: 'user',
    lastTabOf: 'cron',
    element: <CronCalendarPage />,
  },
  {
    path: 'settings',
    labelKey: 'app.shell.settings',
    access: 'admin',
    firstTabOf: 'settings',
    element: <SettingsPage />,
  },
  {
    path: 'settings/configuration',
    labelKey: 'app.shell.configuration',
    access: 'admin',
    lastTabOf: 'settings',
    element: <ConfigurationPage />,
  },
  {
    path: 'settings/security',
    labelKey: 'app.shell.security',
    access: 'admin',
    lastTabOf: 'settings',
    element: <SecurityPage />,
  },
]
