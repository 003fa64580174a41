import { useState } from 'react'
import { type Locale, locales } from '../../../i18n/locales.ts'
import type { SignInTexts } from '../../../i18n/signInTexts.ts'
import { saveThemeMode, storedThemeMode, type ThemeMode, themeModes } from '../../components/theme/themeMode.ts'

interface LanguageAndThemeProps {
  texts: SignInTexts['login']
  locale: Locale
  onLocale: (locale: Locale) => void
}

/** Selects for language and theme, usable before signing in; the console uses the same choices. */
export function LanguageAndTheme({ texts, locale, onLocale }: LanguageAndThemeProps) {
  const [theme, setTheme] = useState(storedThemeMode)
  return (
    <footer className="login-choices">
      <select aria-label={texts.language} value={locale} onChange={({ target }) => onLocale(target.value as Locale)}>
        {locales.map((one) => (
          <option key={one.locale} value={one.locale} lang={one.locale}>
            {one.name}
          </option>
        ))}
      </select>
      <select
        aria-label={texts.theme}
        value={theme}
        onChange={({ target }) => {
          const mode = target.value as ThemeMode
          setTheme(mode)
          saveThemeMode(mode)
        }}
      >
        {themeModes.map((mode) => (
          <option key={mode} value={mode}>
            {texts[mode]}
          </option>
        ))}
      </select>
    </footer>
  )
}
