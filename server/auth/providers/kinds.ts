import type { SignInProviderForm } from '../../../src/schemas/account/signInProvider.ts'
import { ApiError } from '../../wire/apiError.ts'
import { type OpenidProvider, openidIssuer, withoutEndSlash } from './providers.ts'

export type SignInProvider = SignInProviderForm & { id: number }

/** What differs from kind to kind: each function has a case for each of them. */

/**
 * Whose accounts a provider signs in: another one under the same name knows other people. It is how the ids of accounts
 * begin, and what a stored secret is for.
 */
export function identityOf({ kind, settings }: Pick<SignInProviderForm, 'kind' | 'settings'>): string {
  switch (kind) {
    case 'oidc':
      return `${withoutEndSlash(new URL(settings.issuer))}#`
  }
}

/** The settings in the form in which they are stored. @throws ApiError that says what to do */
export function checkedSettings({ kind, settings }: SignInProviderForm): SignInProviderForm['settings'] {
  switch (kind) {
    case 'oidc': {
      const issuer = openidIssuer.safeParse(settings.issuer)
      if (issuer.success) return { ...settings, issuer: issuer.data }
      throw new ApiError('settings.issuer: give the address of the provider as https://, without ? and #')
    }
  }
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
  }
}
