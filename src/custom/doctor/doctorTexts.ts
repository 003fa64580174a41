import { byLocale } from '../../../i18n/byLocale.ts'
import type doctor from '../../../i18n/en-US/doctor.json'
import type { Locale } from '../../../i18n/locales.ts'

/** The texts of the page. They are loaded with the page, in one language only. */
export type DoctorTexts = typeof doctor

const files = byLocale(import.meta.glob<DoctorTexts>('../../../i18n/*/doctor.json', { import: 'default' }))

/** Loads the texts of one language. */
export const loadTexts = (locale: Locale): Promise<DoctorTexts> => files[locale]()
