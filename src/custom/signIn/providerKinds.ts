import { z } from 'zod'
import { ldapSettings } from '../../schemas/account/ldapSettings.ts'
import { proxySettings } from '../../schemas/account/proxySettings.ts'
import {
  oidcSettings,
  type SignInKind,
  type SignInProviderForm,
  signInProviderForm,
} from '../../schemas/account/signInProvider.ts'
import { defineEntity, type Entity } from '../../schemas/define/entity.ts'
import { flag, secret } from '../../schemas/define/fields.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { StoredSignInProvider } from '../../schemas/endpoints/signInProviderEndpoints.ts'

/** The form of each kind: what all have, and between that its own settings. */
const forms: Readonly<Record<SignInKind, { entity: Entity; settings: readonly string[] }>> = {
  oidc: formOf(oidcSettings),
  ldap: formOf(ldapSettings),
  proxy: formOf(proxySettings),
}

export const signInKinds = Object.keys(forms).flatMap((kind) => (isKind(kind) ? [kind] : []))

/** Whether this console knows a kind. */
export function isKind(kind: string): kind is SignInKind {
  return Object.hasOwn(forms, kind)
}

function formOf(settings: z.ZodObject) {
  const form = z.object({
    name: z.string().trim().min(1).max(64),
    ...settings.shape,
    secret: secret().default(''),
    clear_secret: flag(),
    create_accounts: flag(),
    enabled: flag(true),
  })
  return {
    entity: defineEntity({ name: 'sign-in-provider', form, api: { verbs: [] } }),
    settings: Object.keys(settings.shape),
  }
}

export const formEntity = (kind: SignInKind): Entity => forms[kind].entity

/** What the form of a stored provider begins with. */
export const valuesOf = ({ settings, ...provider }: StoredSignInProvider): Values => ({ ...provider, ...settings })

/** The form as it is sent. @param groups the rules, which have a dialog of their own */
export function formFrom(kind: SignInKind, values: Values, groups: SignInProviderForm['groups']): SignInProviderForm {
  const settings = Object.fromEntries(forms[kind].settings.map((name) => [name, values[name]]))
  return signInProviderForm.parse({ ...values, kind, settings, groups })
}

/** A stored provider as it would be sent unchanged: its secret stays. */
export const storedForm = ({ kind, name, enabled, settings, create_accounts, groups }: StoredSignInProvider) =>
  signInProviderForm.parse({ kind, name, enabled, settings, create_accounts, groups })
