import type { LdapSettings } from '../../../src/schemas/account/ldapSettings.ts'
import type { ProxySettings } from '../../../src/schemas/account/proxySettings.ts'
import type { SignInProviderForm } from '../../../src/schemas/account/signInProvider.ts'
import { isLoopback } from '../../settings.ts'
import { ApiError } from '../../wire/apiCall.ts'
import { readAddressRanges } from '../addresses/addressRanges.ts'
import { type OpenidProvider, openidIssuer, withoutEndSlash } from './providers.ts'

export type SignInProvider = SignInProviderForm & { id: number }

/** What differs from kind to kind: each function has a case for each of them. */

type KindAndSettings<Form = SignInProviderForm> = Form extends SignInProviderForm
  ? Pick<Form, 'kind' | 'settings'>
  : never

/**
 * Whose accounts a provider signs in: another one under the same name knows other people. It is how the ids of accounts
 * begin, and what a stored secret is for.
 */
export function identityOf({ kind, settings }: KindAndSettings): string {
  switch (kind) {
    case 'oidc':
      return `${withoutEndSlash(new URL(settings.issuer))}#`
    // A directory has several addresses, and one root of its names.
    case 'ldap':
      return `${settings.base.toLowerCase()}#`
    // It names people as they are called here.
    case 'proxy':
      return ''
  }
}

/** Who gets a stored secret: it is kept for them alone. */
export function receiverOf(provider: KindAndSettings): string {
  switch (provider.kind) {
    case 'oidc':
    case 'proxy':
      return identityOf(provider)
    case 'ldap': {
      const { url, start_tls, ca, bind_dn } = provider.settings
      return JSON.stringify([url, start_tls, ca, bind_dn])
    }
  }
}

/** A form with the settings as they are stored. @throws ApiError that says what to do */
export function checkedForm(form: SignInProviderForm): SignInProviderForm {
  switch (form.kind) {
    case 'oidc': {
      const issuer = openidIssuer.safeParse(form.settings.issuer)
      if (issuer.success) return { ...form, settings: { ...form.settings, issuer: issuer.data } }
      throw new ApiError('settings.issuer: give the address of the provider as https://, without ? and #')
    }
    case 'ldap':
      return withoutProblem(form, ldapProblem(form.settings))
    case 'proxy':
      return withoutProblem(form, proxyProblem(form.settings))
  }
}

function withoutProblem(form: SignInProviderForm, problem: string | undefined): SignInProviderForm {
  if (problem === undefined) return form
  throw new ApiError(`settings.${problem}`)
}

/** How browsers are led to a provider; `undefined` for a kind at which they are not. */
export function redirectOf({ id, kind, name, secret, settings }: SignInProvider): OpenidProvider | undefined {
  switch (kind) {
    case 'oidc':
      return {
        kind: 'openid',
        name,
        clientId: settings.client_id,
        clientSecret: secret,
        scopes: [...new Set(['openid', ...settings.scopes])],
        issuer: new URL(settings.issuer),
        accountPrefix: identityOf({ kind, settings }),
        stored: { id, groupsClaim: settings.groups_claim, usernameClaim: settings.username_claim },
      }
    case 'ldap':
    case 'proxy':
      return undefined
  }
}

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

/** Headers that every client may send, or that mean something else here: they name nobody. */
const otherHeaders = [
  'accept',
  'authorization',
  'connection',
  'cookie',
  'host',
  'origin',
  'referer',
  'user-agent',
  'x-csrf-token',
]

/** What is wrong with the settings of a proxy, and what to do; `undefined` when they can be used. */
export function proxyProblem(settings: ProxySettings): string | undefined {
  const { addresses, groups_header, sign_out_url } = settings
  const ranges = readAddressRanges(addresses)
  if (typeof ranges === 'string') {
    return `addresses has ${ranges}: give addresses and networks with commas between them, like 192.0.2.7, 10.0.0.0/24; the bits behind the length of a network are zero`
  }
  // Web servers take underscores and hyphens for the same, or drop such headers.
  const bad = (['header', 'groups_header'] as const).find((name) => !/^[a-z\d-]*$/i.test(settings[name]))
  if (bad) return `${bad}: give the name of a header of letters, digits and hyphens, like Remote-User`
  const other = [settings.header, groups_header].find((name) => otherHeaders.includes(name.toLowerCase()))
  if (other !== undefined) return `header: every client may send ${other}: choose one that the proxy alone writes`
  if (isTarget(sign_out_url)) return undefined
  return 'sign_out_url: give an address with https://, or a path of this host that begins with one /'
}

/** An address of the web, or a path of the same host; not of another one (`//host`). */
const isTarget = (text: string) =>
  text === '' || /^\/(?![/\\])[^\s\\]*$/.test(text) || (/^https?:\/\//i.test(text) && URL.canParse(text))
