import type { SignInProviderForm } from '../../../src/schemas/account/signInProvider.ts'
import { ApiError } from '../../wire/apiError.ts'
import { ldapProblem } from '../ldap/ldapProblem.ts'
import { proxyProblem } from '../proxy/proxyProblem.ts'
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
