import { useLocaleState, useTranslate } from 'react-admin'
import type { Translate } from './format.ts'

export interface Language {
  locale: string
  translate: Translate
}

/** The current language: its locale for numbers, and its texts. */
export function useLanguage(): Language {
  const [locale] = useLocaleState()
  return { locale, translate: useTranslate() }
}
