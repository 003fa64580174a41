import { useColorScheme } from '@mui/material/styles'
import { useMemo } from 'react'
import { useStore } from 'react-admin'
import { fonts } from '../../theme/tokens.ts'
import type { ScreenAppearance } from './screen.ts'

/** The user's preferences for terminals; stored in this browser. */
export interface TerminalPreferences {
  /** Pixels. */
  fontSize: number
  /** CSS font family; empty: the system's monospace font. */
  fontFamily: string
  /** `console`: the colour scheme of the console. */
  scheme: 'console' | 'light' | 'dark'
  copiesSelection: boolean
  /** Asks before text of several lines is pasted. */
  asksBeforePaste: boolean
  screenReader: boolean
}

export const fontSizes = { least: 8, most: 32 }

const defaults: TerminalPreferences = {
  fontSize: 13,
  fontFamily: '',
  scheme: 'console',
  copiesSelection: false,
  asksBeforePaste: true,
  screenReader: false,
}

const noPreferences: Partial<TerminalPreferences> = {}

/** The preferences, and how to change some. */
export function useTerminalPreferences(): [TerminalPreferences, (change: Partial<TerminalPreferences>) => void] {
  const [stored, store] = useStore<Partial<TerminalPreferences>>('terminal.choices', noPreferences)
  const preferences = useMemo(() => ({ ...defaults, ...stored }), [stored])
  return [preferences, (change) => store({ ...stored, ...change })]
}

/** How terminals look by these preferences; the same object while nothing changes. */
export function useScreenAppearance({
  fontSize,
  fontFamily,
  scheme,
  screenReader,
}: TerminalPreferences): ScreenAppearance {
  const { colorScheme = 'light' } = useColorScheme()
  return useMemo(
    () => ({
      fontSize: Math.min(fontSizes.most, Math.max(fontSizes.least, Math.round(fontSize) || defaults.fontSize)),
      fontFamily: fontFamily.trim() ? `${fontFamily}, ${fonts.mono}` : fonts.mono,
      scheme: scheme === 'console' ? colorScheme : scheme,
      screenReader,
    }),
    [fontSize, fontFamily, scheme, screenReader, colorScheme],
  )
}
