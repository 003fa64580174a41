import { useColorScheme } from '@mui/material/styles'
import { useMemo } from 'react'
import { useStore } from 'react-admin'
import { appearanceOf, defaultPreferences, preferencesKey, type TerminalPreferences } from './appearance.ts'
import type { ScreenAppearance } from './screen.ts'

const noPreferences: Partial<TerminalPreferences> = {}

/** The preferences, and how to change some. */
export function useTerminalPreferences(): [TerminalPreferences, (change: Partial<TerminalPreferences>) => void] {
  const [stored, store] = useStore<Partial<TerminalPreferences>>(preferencesKey, noPreferences)
  const preferences = useMemo(() => ({ ...defaultPreferences, ...stored }), [stored])
  return [preferences, (change) => store({ ...stored, ...change })]
}

/** How terminals look by these preferences; the same object while nothing changes. */
export function useScreenAppearance(preferences: TerminalPreferences): ScreenAppearance {
  const { colorScheme = 'light' } = useColorScheme()
  return useMemo(() => appearanceOf(preferences, colorScheme), [preferences, colorScheme])
}
