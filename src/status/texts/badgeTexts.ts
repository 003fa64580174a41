import type { Locale } from '../../../i18n/locales.ts'

/** Texts of badges, in addition to those of the page. */
interface BadgeTexts {
  /** Shown in place of a hidden name. */
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
