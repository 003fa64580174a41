import { type ComponentType, createContext } from 'react'
import type { SectionScreen } from '../../../engine/define/page.ts'
import { consolePath } from '../../../schemas/consolePath.ts'

/** One entry of the navigation. */
export interface MenuEntry {
  /** The whole path, such as `/dashboard/server-group`. */
  to: string
  /** Translation key of its label. */
  labelKey: string
  /**
   * Paths for which the entry is the current one, itself included: a section with tabs is current on all its tabs. A
   * path includes everything below it, except `/dashboard`, which includes only itself.
   */
  activeOn: string[]
  /** Parts beside it, such as a number. */
  Badges?: readonly ComponentType[]
}

/** The entries of the navigation. `Console.tsx` makes them from the resource definitions: the layout knows no entities. */
export const MenuContext = createContext<MenuEntry[]>([])

/** The screens of the settings: without one that a person may see, the user menu does not lead there. */
export const SettingsContext = createContext<readonly SectionScreen[]>([])

/** Whether an entry is the current one for a path. */
export function isActive(entry: MenuEntry, pathname: string): boolean {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  return entry.activeOn.some((place) => path === place || (place !== consolePath && path.startsWith(`${place}/`)))
}
