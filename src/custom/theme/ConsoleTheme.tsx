import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { theme } from './theme.ts'
import { themeStorageKey } from './themeMode.ts'

/** Dresses the console, in the theme this browser chose. Put it outside of what a change of language builds anew. */
export function ConsoleTheme({ children }: { children: ReactNode }) {
  return (
    <ThemeProvider theme={theme} defaultMode="system" modeStorageKey={themeStorageKey} disableTransitionOnChange noSsr>
      <CssBaseline enableColorScheme />
      {children}
    </ThemeProvider>
  )
}
