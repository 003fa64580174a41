/** The name of a country in a language; its code where nobody knows a name. @param code two letters, or '' */
export function countryName(code: string, locale: string): string {
  if (!/^[a-z]{2}$/i.test(code)) return ''
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code.toUpperCase()) ?? code.toUpperCase()
}

/** The flag as an emoji; browsers without flags show the letters. */
export function countryFlag(code: string): string {
  if (!/^[a-z]{2}$/i.test(code)) return ''
  return String.fromCodePoint(...[...code.toUpperCase()].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65))
}
