import type { ReactElement } from 'react'
import type { Place } from '../resources/engine/define/place.ts'
import { lazyPart } from '../resources/engine/parts/lazyPart.tsx'

const ProfilePage = lazyPart(() => import('../custom/profile/ProfilePage.tsx'))
const SettingsPage = lazyPart(() => import('../custom/settings/SettingsPage.tsx'))
const TerminalPage = lazyPart(() => import('../custom/terminal/TerminalPage.tsx'))

/** A page that is drawn by hand. */
export interface Page {
  /** Below `/dashboard`, as `/terminal/:id`. */
  path: string
  /** Loaded on the first visit. */
  element: ReactElement
  /** Whether it fills its tab alone, without header, navigation and footer. */
  alone?: boolean
}

/** Every element is lazy: none of them weighs on the first list. */
export const pages: readonly Page[] = [{ path: '/terminal/:id', element: <TerminalPage />, alone: true }]

/** Pages that have a name of their own: the palette leads to them, and a section may begin with one. */
export const places: readonly Place[] = [
  { path: 'profile', labelKey: 'app.shell.profile', access: 'user', element: <ProfilePage /> },
  { path: 'settings', labelKey: 'app.shell.settings', access: 'admin', heads: 'settings', element: <SettingsPage /> },
]
