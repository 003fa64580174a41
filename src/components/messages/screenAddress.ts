import { createContext } from 'react'

/**
 * The address of the screen that a path shows: for the path of a record's dialog, that of the list below it.
 * `Console.tsx` provides it: the layout knows no entities.
 */
export const ScreenAddressContext = createContext<(pathname: string) => string>((pathname) => pathname)
