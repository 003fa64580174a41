import type { Locale } from '../../../i18n/locales.ts'

/** What only badges say, beside the words of the page. */
interface BadgeTexts {
  /** In the place of a name that is not told. */
  service: string
  server: string
  unknown: string
}

export const badgeTexts: Record<Locale, BadgeTexts> = {
  'en-US': { service: 'Service', server: 'Server', unknown: 'Unknown' },
  it: { service: 'Servizio', server: 'Server', unknown: 'Sconosciuto' },
  'zh-CN': { service: '服务', server: '服务器', unknown: '未知' },
  'zh-TW': { service: '服務', server: '伺服器', unknown: '未知' },
  'de-DE': { service: 'Dienst', server: 'Server', unknown: 'Unbekannt' },
}
