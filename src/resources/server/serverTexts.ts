import { addressesOf, type ServerRow } from '../../components/serverMetrics.ts'
import type { Language, TextContext } from '../../records/queryRows.ts'

/** 'v4/v6', or the only one known. */
export const addressText = (row: Pick<ServerRow, 'geoip'>): string => addressesOf(row).join('/')

/** The operating system with its version, such as 'debian 12.5'; empty before the first report. */
export const systemText = ({ host }: ServerRow): string =>
  [host?.platform, host?.platform_version].filter(Boolean).join(' ')

/** The operating system without its version. */
export const platformOf = ({ host }: ServerRow): string => host?.platform ?? ''

/** The version of the agent, or 'Unknown'. */
export const agentVersionText = (
  { host }: ServerRow,
  { language: { translate } }: Pick<TextContext, 'language'>,
): string => host?.version || translate('resources.server.values.unknown')

export const agentVersionOf = ({ host }: ServerRow): string => host?.version ?? ''

/** The name of the user whose server it is; empty where the server does not say. */
export const ownerOf = ({ owner }: ServerRow): string => (owner ? owner.username || `#${owner.id}` : '')

/** Two letters, in lower case; empty where the place is not known. */
export const countryOf = ({ geoip }: ServerRow): string => geoip?.country_code?.toLowerCase() ?? ''

/** The name of a server's country. */
export const countryText = (row: ServerRow, { language }: Pick<TextContext, 'language'>): string =>
  countryName(countryOf(row), language)

const namesByLocale = new Map<string, Intl.DisplayNames>()

/** The name of a country; an unknown code stays as it is. @param code two letters */
export function countryName(code: string, { locale }: Pick<Language, 'locale'>): string {
  if (!/^[a-z]{2}$/i.test(code)) return code
  const names = namesByLocale.get(locale) ?? new Intl.DisplayNames(locale, { type: 'region' })
  namesByLocale.set(locale, names)
  return names.of(code.toUpperCase()) ?? code
}
