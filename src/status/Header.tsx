/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { type Locale, locales } from '../../i18n/locales.ts'
import { saveThemeMode, storedThemeMode, type ThemeMode, themeModes } from '../components/theme/themeMode.ts'
import { useLanguage } from './parts/language.ts'

interface HeaderProps {
  /** Of the site. */
  name: string
  onLanguage: (locale: Locale) => void
}

/** The name of the site, the visitor's language and theme, and the way to the console. */
export function Header({ name, onLanguage }: HeaderProps) {
  const { texts, locale } = useLanguage()
  const [theme, setTheme] = useState(storedThemeMode)
  const themeTexts: Record<ThemeMode, string> = { light: texts.light, dark: texts.dark, system: texts.likeSystem }
  function changeTheme(mode: ThemeMode): void {
    saveThemeMode(mode)
    setTheme(mode)
  }
  return (
    <header class="bar">
      <a class="site" href="/">
        {name}
      </a>
      <select
        aria-label={texts.language}
        value={locale}
        onChange={({ currentTarget }) => onLanguage(currentTarget.value as Locale)}
      >
        {locales.map((each) => (
          <option key={each.locale} value={each.locale} lang={each.locale}>
            {each.name}
          </option>
        ))}
      </select>
      <select
        aria-label={texts.theme}
        value={theme}
        onChange={({ currentTarget }) => changeTheme(currentTarget.value as ThemeMode)}
      >
        {themeModes.map((mode) => (
          <option key={mode} value={mode}>
            {themeTexts[mode]}
          </option>
        ))}
      </select>
      <a class="sign-in" href="/dashboard">
        {texts.signIn}
      </a>
    </header>
  )
}
