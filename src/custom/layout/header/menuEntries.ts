import { createContext } from 'react'

/** One entry of the navigation. */
export interface MenuEntry {
  /** Where it leads: a whole path, such as `/dashboard/server-group`. */
  to: string
  /** Translation key of its label. */
  labelKey: string
  /**
   * Paths under which the entry counts as the current one, itself included: a tabbed section is current on all its
   * tabs. A path covers what lies below it, except `/dashboard`, which lies above everything and covers only itself.
   */
  activeOn: string[]
}

/** The entries of the navigation, given by `App.tsx` from the definitions: the layout knows no entity. */
export const MenuContext = createContext<MenuEntry[]>([])

const home = '/dashboard'

/** Tells whether an entry is the current one at a path. */
export function isActive(entry: MenuEntry, pathname: string): boolean {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  return entry.activeOn.some((place) => path === place || (place !== home && path.startsWith(`${place}/`)))
}
