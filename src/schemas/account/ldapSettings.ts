import { z } from 'zod'
import { flag, line, multiline } from '../define/fields.ts'

/** Characters of a DN, a pattern or a filter. */
const maxText = 1024

/** An attribute, as `sAMAccountName` or `1.3.6.1.1.16.4`. */
const attribute = (initial: string) => line(128).default(initial)

/**
 * How people are found and checked in a directory by LDAP. The password of the service account is kept apart. What the
 * values mean together is checked by the server, which says what to do.
 */
export const ldapSettings = z.object({
  /** `ldaps://ldap.example.org`, or `ldap://` with StartTLS; a port may follow. */
  url: line(512).min(1),
  start_tls: flag(),
  /** In PEM: the authorities to trust in place of the usual ones. */
  ca: multiline(64 * 1024).default(''),
  /** The service account that searches; '' with a pattern. */
  bind_dn: line(maxText).default(''),
  /** As what people sign in, such as `uid={username},ou=people,dc=example,dc=org` or `{username}@example.org`; '' to search. */
  user_pattern: line(maxText).default(''),
  /** Below which entry people are searched. */
  base: line(maxText).min(1),
  user_filter: line(maxText).min(1).default('(&(objectClass=person)(uid={username}))'),
  username_attribute: attribute('uid'),
  /** What stays the same when somebody is renamed: `entryUUID`, or `objectGUID` in Active Directory. */
  id_attribute: attribute('entryUUID'),
  /** Whether the groups are those of the attribute `memberOf`. */
  member_of: flag(),
  /** What finds the groups of a person, such as `(member={dn})`; '' not to search. */
  group_filter: line(maxText).default(''),
  /** Below which entry groups are; '' for `base`. Groups below it can be named by their name alone. */
  group_base: line(maxText).default(''),
})
export type LdapSettings = z.output<typeof ldapSettings>
