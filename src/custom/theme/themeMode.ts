/** Where the choice of theme is kept; the script in index.html and the console's theme read the same entry. */
export const themeStorageKey = 'wheelhouse.theme'

export const themeModes = ['light', 'dark', 'system'] as const

export type ThemeMode = (typeof themeModes)[number]

/** The theme this browser was told to use. */
export function storedThemeMode(): ThemeMode {
  try {
    const stored = localStorage.getItem(themeStorageKey)
    return themeModes.find((mode) => mode === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Keeps a choice and shows it. */
export function saveThemeMode(mode: ThemeMode): void {
  try {
    localStorage.setItem(themeStorageKey, mode)
  } catch {
    // A browser without a store forgets the choice at the next visit.
  }
  applyThemeMode(mode)
}

const prefersDark = () => window.matchMedia('(prefers-color-scheme: dark)')

/** Puts a theme on the page. */
export function applyThemeMode(mode: ThemeMode): void {
  const isDark = mode === 'dark' || (mode === 'system' && prefersDark().matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}

/** Follows the system while that is the choice. Returns how to stop. */
export function followSystemTheme(): () => void {
  const media = prefersDark()
  const follow = () => applyThemeMode(storedThemeMode())
  media.addEventListener('change', follow)
  return () => media.removeEventListener('change', follow)
}
