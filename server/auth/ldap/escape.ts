/**
 * A value in a filter, of which no character has a meaning there (RFC 4515).
 * @example escapeFilterValue('*)(uid=*') // '\\2a\\29\\28uid=\\2a'
 */
export const escapeFilterValue = (value: string): string =>
  value.replace(/[\\*()\0]/g, (character) => `\\${hexOf(character)}`)

/**
 * A value in a DN, of which no character has a meaning there (RFC 4514).
 * @example escapeDnValue('a,ou=admins') // 'a\\2cou\\3dadmins'
 */
export const escapeDnValue = (value: string): string =>
  value.replace(/[\\,+"<>;=#\0]|^ | $/g, (character) => `\\${hexOf(character)}`)

const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0')

/** The parts of a DN, the innermost first, in lower case and without the spaces around them: to compare, not to send. */
const partsOf = (dn: string): string[] =>
  (dn.match(/(?:\\.|[^\\,;])+/gs) ?? []).map((part) =>
    part
      .trim()
      .replace(/\s*=\s*/, '=')
      .toLowerCase(),
  )

/** Whether an entry is somewhere below another one. */
export function isBelow(dn: string, base: string): boolean {
  const [parts, above] = [partsOf(dn), partsOf(base)]
  return above.length > 0 && parts.length > above.length && parts.slice(-above.length).join() === above.join()
}

/** The value of the first part of a DN: `admins` of `cn=admins,ou=groups,dc=example,dc=org`; '' without one. */
export function firstValueOf(dn: string): string {
  const [, value = ''] = /^\s*[\w.-]+\s*=\s*((?:\\.|[^\\,;+])*)/s.exec(dn) ?? []
  return value
    .trim()
    .replace(/((?:\\[\da-f]{2})+)|\\(.)/gis, (_, bytes?: string, plain?: string) =>
      bytes === undefined ? (plain ?? '') : Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString('utf8'),
    )
}
