import { useColorScheme } from '@mui/material/styles'
import { useEffect, useMemo, useRef } from 'react'
import { useStore, useTranslate } from 'react-admin'
import { appearanceOf, defaultPreferences, preferencesKey, type TerminalPreferences } from './appearance.ts'
import type { Screen, ScreenAppearance } from './screen.ts'

const noPreferences: Partial<TerminalPreferences> = {}

/** The preferences, and how to change some. */
export function useTerminalPreferences(): [TerminalPreferences, (change: Partial<TerminalPreferences>) => void] {
  const [stored, store] = useStore<Partial<TerminalPreferences>>(preferencesKey, noPreferences)
  const preferences = useMemo(() => ({ ...defaultPreferences, ...stored }), [stored])
  return [preferences, (change) => store({ ...stored, ...change })]
}

/**
 * How terminals look by these preferences; the same object while nothing changes.
 * @param keys the text that tells which keys are the page's
 */
export function useScreenAppearance(
  preferences: TerminalPreferences,
  keys = 'app.terminal.preferences.keys',
): ScreenAppearance {
  const { colorScheme = 'light' } = useColorScheme()
  const translate = useTranslate()
  return useMemo(
    () => ({
      ...appearanceOf(preferences, colorScheme),
      labels: {
        input: translate('app.terminal.input'),
        keys: translate(keys),
        tooMuchOutput: translate('app.terminal.too_much_output'),
      },
    }),
    [preferences, keys, colorScheme, translate],
  )
}

/** Puts the screen into the page and keeps it as large as its place. */
export function useScreenElement(screen: Screen) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = container.current
    if (!element) return
    screen.mount(element)
    screen.fit()
    let frame = 0
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => screen.fit())
    })
    observer.observe(element)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
    }
  }, [screen])
  return container
}
