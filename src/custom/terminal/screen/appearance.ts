import { fonts, type Scheme } from '../../../components/theme/tokens.ts'
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
  /** Notifies of the bell of a terminal while its tab is hidden. */
  notifiesBell: boolean
  screenReader: boolean
}

/** Where react-admin's store has what differs from the defaults. */
export const preferencesKey = 'terminal.choices'

export const fontSizes = { least: 8, most: 32 }

export const defaultPreferences: TerminalPreferences = {
  fontSize: 13,
  fontFamily: '',
  scheme: 'console',
  copiesSelection: false,
  asksBeforePaste: true,
  notifiesBell: false,
  screenReader: false,
}

/** How terminals look by these preferences. @param consoleScheme the colour scheme of the console */
export const appearanceOf = (
  { fontSize, fontFamily, scheme, screenReader }: TerminalPreferences,
  consoleScheme: Scheme,
): ScreenAppearance => ({
  fontSize: Math.min(fontSizes.most, Math.max(fontSizes.least, Math.round(fontSize) || defaultPreferences.fontSize)),
  fontFamily: fontFamily.trim() ? `${fontFamily}, ${fonts.mono}` : fonts.mono,
  scheme: scheme === 'console' ? consoleScheme : scheme,
  screenReader,
})
