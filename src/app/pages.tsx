import type { ReactElement } from 'react'
import type { NamedPage } from '../resources/engine/define/namedPage.ts'
import { lazyPart } from '../resources/engine/parts/lazyPart.tsx'

const ProfilePage = lazyPart(() => import('../custom/profile/ProfilePage.tsx'))
const SecurityPage = lazyPart(() => import('../custom/settings/security/SecurityPage.tsx'))
const SettingsPage = lazyPart(() => import('../custom/settings/SettingsPage.tsx'))
const TerminalPage = lazyPart(() => import('../custom/terminal/TerminalPage.tsx'))

/** A hand-made page. */
export interface Page {
  /** Below `/dashboard`, as `/terminal/:id`. */
  path: string
  /** Loaded on the first visit. */
  element: ReactElement
  /** Whether it fills its tab alone, without header, navigation and footer. */
  alone?: boolean
}

/** Pages without a name. Every element is lazy, so that none of them is in the first load. */
export const pages: readonly Page[] = [{ path: '/terminal/:id', element: <TerminalPage />, alone: true }]

/** Pages with a name: the command palette leads to them, and a section may begin with one. */
export const namedPages: readonly NamedPage[] = [
  { path: 'profile', labelKey: 'app.shell.profile', access: 'user', element: <ProfilePage /> },
  {
    path: 'settings',
    labelKey: 'app.shell.settings',
    access: 'admin',
    firstTabOf: 'settings',
    element: <SettingsPage />,
  },
  {
    path: 'settings/security',
    labelKey: 'app.shell.security',
    access: 'admin',
    lastTabOf: 'settings',
    element: <SecurityPage />,
  },
]
