import { type ReactNode, useMemo } from 'react'
import { I18nContext, useI18nProvider, useLocaleState, useNotify } from 'react-admin'

/**
 * Renders all translated texts again after a change of the language. React-admin alone would mount the page anew, and
 * typed text, open dialogs and scroll positions would be lost.
 */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const i18nProvider = useI18nProvider()
  const [locale] = useLocaleState()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new provider object for each language is the purpose
  const provider = useMemo(() => ({ ...i18nProvider }), [i18nProvider, locale])
  return <I18nContext value={provider}>{children}</I18nContext>
}

/** The current language and a function that changes it, once the texts are loaded. */
export function useLanguageSwitch(): [string, (locale: string) => Promise<void>] {
  const i18nProvider = useI18nProvider()
  const [current, setCurrent] = useLocaleState()
  const notify = useNotify()
  const change = async (locale: string) => {
    try {
      await i18nProvider.changeLocale(locale)
      setCurrent(locale)
    } catch (cause) {
      console.error(cause)
      notify('ra.notification.i18n_error', { type: 'error' })
    }
  }
  return [current, change]
}
