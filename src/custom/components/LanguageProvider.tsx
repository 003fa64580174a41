import { type ReactNode, useMemo } from 'react'
import { I18nContext, useI18nProvider, useLocaleState, useNotify } from 'react-admin'

/**
 * Tells everything that speaks when the language has changed. React-admin by itself would build the page anew, and
 * what was typed, opened or scrolled to would be gone.
 */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const i18nProvider = useI18nProvider()
  const [locale] = useLocaleState()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new translator for a new language is the point
  const spoken = useMemo(() => ({ ...i18nProvider }), [i18nProvider, locale])
  return <I18nContext value={spoken}>{children}</I18nContext>
}

/** The current language and a way to change it: the texts come first, so that nobody ever sees half of them. */
export function useLanguageSwitch(): [string, (locale: string) => Promise<void>] {
  const i18nProvider = useI18nProvider()
  const [current, setCurrent] = useLocaleState()
  const notify = useNotify()
  const choose = async (locale: string) => {
    try {
      await i18nProvider.changeLocale(locale)
      setCurrent(locale)
    } catch (cause) {
      console.error(cause)
      notify('ra.notification.i18n_error', { type: 'error' })
    }
  }
  return [current, choose]
}
