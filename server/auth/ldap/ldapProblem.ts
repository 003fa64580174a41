import type { LdapSettings } from '../../../src/schemas/account/ldapSettings.ts'
import { isLoopback } from '../../settings.ts'

/** What is wrong with the settings of a directory, and what to do; `undefined` when they can be used. */
export function ldapProblem(settings: LdapSettings): string | undefined {
  const { url, start_tls, bind_dn, user_pattern, user_filter, group_filter, member_of } = settings
  if (!/^ldaps?:\/\/[^/?#@\s]+\/?$/i.test(url) || !URL.canParse(url) || new URL(url).hostname === '') {
    return 'url: give ldaps:// or ldap:// with a host, and a port if need be'
  }
  const isTls = /^ldaps:/i.test(url)
  if (!isTls && !start_tls && !isLoopback(new URL(url).hostname)) {
    return 'url: passwords would be sent in clear: use ldaps://, or ldap:// with StartTLS'
  }
  if (isTls && start_tls) return 'start_tls: it is for ldap:// only: ldaps:// has TLS from the beginning'
  if (bind_dn === '' && user_pattern === '') {
    return 'bind_dn: give a service account that searches, or a pattern for the names of people'
  }
  // The name alone would be taken for a way to sign in that has such a name.
  if (user_pattern !== '' && !/.\{username\}|\{username\}./.test(user_pattern)) {
    return 'user_pattern: it must hold {username} and more than that'
  }
  if (!isFilter(user_filter) || !user_filter.includes('={username}')) {
    return 'user_filter: give a filter in brackets that compares something with {username}, such as (uid={username})'
  }
  if (group_filter !== '' && !(isFilter(group_filter) && /=\{(dn|username)\}/.test(group_filter))) {
    return 'group_filter: give a filter in brackets that compares something with {dn} or {username}, such as (member={dn})'
  }
  if (group_filter !== '' && member_of) return 'group_filter: groups come from memberOf or from a search: choose one'
  const attribute = (['username_attribute', 'id_attribute'] as const).find((name) => !isAttribute(settings[name]))
  return attribute && `${attribute}: give the name of one attribute`
}

const isAttribute = (text: string) => /^[a-z\d][\w.-]*$/i.test(text)

/** Whether each bracket is closed; what is between them is left to the directory. */
function isFilter(text: string): boolean {
  let depth = 0
  for (const character of text.replace(/\\./g, '')) {
    if (character === '(') depth++
    if (character === ')' && --depth < 0) return false
  }
  return depth === 0 && text.startsWith('(') && text.endsWith(')')
}
