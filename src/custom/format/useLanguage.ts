import { useLocaleState, useTranslate } from 'react-admin'
import type { Translate } from './format.ts'

export interface Words {
  locale: string
  translate: Translate
}

/** The person's language, for figures and for texts. */
export function useWords(): Words {
  const [locale] = useLocaleState()
  return { locale, translate: useTranslate() }
}
