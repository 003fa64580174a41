import type { ITheme } from '@xterm/xterm'
import { colours, type Scheme } from '../../../components/theme/tokens.ts'

/**
 * The sixteen ANSI colours, for a light and a dark background. All but black are readable on it:
 * `tests/unit/terminal/terminalPalettes.test.ts` measures them.
 */
export const palettes: Record<Scheme, ITheme & { background: string; foreground: string }> = {
  light: {
    ...chrome('light'),
    black: '#0f172a',
    red: '#b91c1c',
    green: '#15803d',
    yellow: '#8f5606',
    blue: '#1d4ed8',
    magenta: '#a21caf',
    cyan: '#0e7490',
    white: '#64748b',
    brightBlack: '#475569',
    brightRed: '#c81e1e',
    brightGreen: '#166534',
    brightYellow: '#a14a07',
    brightBlue: '#2554d6',
    brightMagenta: '#86198f',
    brightCyan: '#155e75',
    brightWhite: '#334155',
  },
  dark: {
    ...chrome('dark'),
    black: '#22304a',
    red: '#f87171',
    green: '#4ade80',
    yellow: '#fbbf24',
    blue: '#7aa2f7',
    magenta: '#d8a0f0',
    cyan: '#2dd4bf',
    white: '#cbd5e1',
    brightBlack: '#8291a8',
    brightRed: '#fca5a5',
    brightGreen: '#86efac',
    brightYellow: '#fde047',
    brightBlue: '#a5c3ff',
    brightMagenta: '#ecc5ff',
    brightCyan: '#7ff0e2',
    brightWhite: '#f8fafc',
  },
}

function chrome(scheme: Scheme) {
  const colour = colours[scheme]
  return {
    background: scheme === 'light' ? colour.surface : colour.background,
    foreground: colour.text,
    cursor: colour.primary,
    cursorAccent: scheme === 'light' ? colour.surface : colour.background,
    selectionBackground: `${colour.primary}4d`,
    scrollbarSliderBackground: `${colour.control}66`,
    scrollbarSliderHoverBackground: `${colour.control}99`,
    scrollbarSliderActiveBackground: `${colour.control}cc`,
  }
}

/** How hits of a search are marked. */
export const searchColours = (scheme: Scheme) => {
  const colour = colours[scheme]
  return {
    matchBackground: scheme === 'light' ? '#fde68a' : '#5b4a12',
    activeMatchBackground: scheme === 'light' ? '#fdba74' : '#8a5010',
    matchOverviewRuler: colour.warning,
    activeMatchColorOverviewRuler: colour.danger,
  }
}
