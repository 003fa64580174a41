import { useColorScheme } from '@mui/material/styles'
import { useMemo } from 'react'
import { useStore } from 'react-admin'
import { fonts } from '../../theme/tokens.ts'
import type { ScreenLook } from './screen.ts'

/** What a person has chosen about terminals; kept in this browser. */
export interface TerminalChoices {
  /** Pixels. */
  fontSize: number
  /** Names of fonts, as style sheets list them; empty: the system's own. */
  fontFamily: string
  /** `console`: as the rest of the console. */
  scheme: 'console' | 'light' | 'dark'
  copiesSelection: boolean
  /** Asks before text of several lines is pasted. */
  asksBeforePaste: boolean
  screenReader: boolean
}

export const fontSizes = { least: 8, most: 32 }

const defaults: TerminalChoices = {
  fontSize: 13,
  fontFamily: '',
  scheme: 'console',
  copiesSelection: false,
  asksBeforePaste: true,
  screenReader: false,
}

const nothing: Partial<TerminalChoices> = {}

/** The choices, and how to make one. */
export function useTerminalChoices(): [TerminalChoices, (choice: Partial<TerminalChoices>) => void] {
  const [kept, keep] = useStore<Partial<TerminalChoices>>('terminal.choices', nothing)
  const choices = useMemo(() => ({ ...defaults, ...kept }), [kept])
  return [choices, (choice) => keep({ ...kept, ...choice })]
}

/** How terminals look by these choices; the same object while nothing changes. */
export function useScreenLook({ fontSize, fontFamily, scheme, screenReader }: TerminalChoices): ScreenLook {
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
