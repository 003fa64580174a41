import type { Locale } from '../../../../i18n/locales.ts'
import type { DoctorTexts } from './types.ts'

const sources: Record<Locale, () => Promise<{ texts: DoctorTexts }>> = {
  'en-US': () => import('./en-US.ts'),
  it: () => import('./it.ts'),
  'zh-CN': () => import('./zh-CN.ts'),
  'zh-TW': () => import('./zh-TW.ts'),
  'de-DE': () => import('./de-DE.ts'),
}

/** Loads the texts of one language. */
export const loadTexts = async (locale: Locale): Promise<DoctorTexts> => (await sources[locale]()).texts
