/** The localStorage key of the theme mode; the script in index.html and the MUI theme read it as well. */
export const themeStorageKey = 'wheelhouse.theme'

export const themeModes = ['light', 'dark', 'system'] as const

export type ThemeMode = (typeof themeModes)[number]

/** The theme mode chosen in this browser; `system` by default. */
export function storedThemeMode(): ThemeMode {
  try {
    const stored = localStorage.getItem(themeStorageKey)
    return themeModes.find((mode) => mode === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Saves the theme mode and applies it. */
export function saveThemeMode(mode: ThemeMode): void {
  try {
    localStorage.setItem(themeStorageKey, mode)
  } catch {
    // Without localStorage the choice is lost on the next visit.
  }
  applyThemeMode(mode)
}

const prefersDark = () => window.matchMedia('(prefers-color-scheme: dark)')

/** Applies a theme mode to the page. */
export function applyThemeMode(mode: ThemeMode): void {
  const isDark = mode === 'dark' || (mode === 'system' && prefersDark().matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}

/** Follows the system's theme while the mode is `system`. Returns a function that stops it. */
export function followSystemTheme(): () => void {
  const media = prefersDark()
  const follow = () => applyThemeMode(storedThemeMode())
  media.addEventListener('change', follow)
  return () => media.removeEventListener('change', follow)
}
