import { z } from 'zod'

/** Names of this machine: only there a password may travel in clear. */
const isThisMachine = (host: string) => host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

const isLdapUrl = (text: string) =>
  /^ldaps?:\/\/[^/?#@\s]+\/?$/i.test(text) && URL.canParse(text) && new URL(text).hostname !== ''

/** The name of an attribute, as `sAMAccountName` or `1.3.6.1.1.16.4`. */
const attribute = (initial: string) =>
  z
    .string()
    .trim()
    .regex(/^[a-z\d][\w.-]{0,127}$/i, { error: 'is no name of an attribute' })
    .default(initial)

const text = (most: number) => z.string().trim().max(most)

/** Whether a filter can be parsed is left to the directory's client; here only that every bracket is closed. */
const filter = (placeholders: readonly string[], initial: string) =>
  text(1024)
    .refine((value) => value.startsWith('(') && value.endsWith(')') && isBalanced(value), {
      error: 'must be a filter in brackets, all of them closed',
    })
    .refine((value) => placeholders.some((one) => value.includes(`=${one}`)), {
      error: `must compare something with ${placeholders.join(' or ')}`,
    })
    .default(initial)

function isBalanced(value: string): boolean {
  let depth = 0
  for (const character of value.replace(/\\./g, '')) {
    if (character === '(') depth++
    if (character === ')' && --depth < 0) return false
  }
  return depth === 0
}

/** How people are found and checked in a directory by LDAP. The password of the service account is kept apart. */
export const ldapSettings = z
  .object({
    /** `ldaps://ldap.example.org`, or `ldap://` with StartTLS; a port may follow. */
    url: text(512).refine(isLdapUrl, { error: 'must be ldaps:// or ldap:// with a host, and a port if need be' }),
    start_tls: z.boolean().default(false),
    /** In PEM: the authorities to trust in place of the usual ones. */
    ca: z
      .string()
      .max(64 * 1024)
      .default(''),
    /** The service account that searches; '' with a pattern. */
    bind_dn: text(512).default(''),
    /** As what people sign in, such as `uid={username},ou=people,dc=example,dc=org` or `{username}@example.org`; '' to search. */
    user_pattern: text(512)
      .refine((value) => value === '' || /.\{username\}|\{username\}./.test(value), {
        error: 'must hold {username} and more than that',
      })
      .default(''),
    /** Below which entry people are searched. */
    base: text(512).min(1),
    user_filter: filter(['{username}'], '(&(objectClass=person)(uid={username}))'),
    username_attribute: attribute('uid'),
    /** What stays the same when somebody is renamed: `entryUUID`, or `objectGUID` in Active Directory. */
    id_attribute: attribute('entryUUID'),
    groups: z.enum(['none', 'memberOf', 'search']).default('none'),
    /** Below which entry groups are; '' for `base`. Groups below it can be named by their name alone. */
    group_base: text(512).default(''),
    group_filter: filter(['{dn}', '{username}'], '(member={dn})'),
  })
  .refine(({ url, start_tls }) => !isLdapUrl(url) || start_tls || isProtected(url), {
    path: ['url'],
    error: 'would send passwords in clear: use ldaps://, or ldap:// with StartTLS',
  })
  .refine(({ url, start_tls }) => !(start_tls && /^ldaps:/i.test(url)), {
    path: ['start_tls'],
    error: 'is for ldap:// only: ldaps:// has TLS from the beginning',
  })
  .refine(({ bind_dn, user_pattern }) => bind_dn !== '' || user_pattern !== '', {
    path: ['bind_dn'],
    error: 'is needed to search, unless there is a pattern for the names of people',
  })
export type LdapSettings = z.output<typeof ldapSettings>

const isProtected = (url: string) => /^ldaps:/i.test(url) || isThisMachine(new URL(url).hostname)
