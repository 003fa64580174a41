import type { Locale } from '../../i18n/locales.ts'
import type { PublicStatus } from '../schemas/status/publicStatus.ts'

/** What the server has put into the page. */
export interface PageData {
  status: PublicStatus
  /** The language of the site. */
  locale: Locale
  /** The operator's own code for visitors. */
  customCode?: string
}

export function readPageData(): PageData {
  return JSON.parse(document.getElementById('page-data')?.textContent ?? '{}') as PageData
}
