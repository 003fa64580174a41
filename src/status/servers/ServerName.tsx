/** @jsxImportSource preact */
import type { StatusServer } from '../../schemas/status/publicStatus.ts'
import { useLanguage } from '../parts/language.ts'
import { countryFlag, countryName } from './country.ts'

/** The name of a server, which leads to its page, behind the flag of its country. */
export function ServerName({ server: { id, name, country_code = '' } }: { server: StatusServer }) {
  const { locale } = useLanguage()
  const country = countryName(country_code, locale)
  return (
    <>
      {country && (
        <span class="flag" role="img" aria-label={country} title={country}>
          {countryFlag(country_code)}
        </span>
      )}
      <a href={`/server/${id}`}>{name}</a>
    </>
  )
}
