import { z } from 'zod'
import { groupRule, signInProviderForm } from '../account/signInProvider.ts'
import { endpoint } from '../define/endpoint.ts'

/** A stored provider. Its secret is never sent. */
const signInProvider = z.object({
  id: z.int(),
  kind: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  /** As the form of its kind has them. */
  settings: z.looseObject({}),
  has_secret: z.boolean(),
  create_accounts: z.boolean(),
  groups: z.array(groupRule),
  /** How many people have bound an account there. */
  people: z.int(),
})

const signInProviders = z.object({
  providers: z.array(signInProvider),
  /** Those of the file `oauth2.json`, which only its author changes. */
  in_file: z.array(z.object({ name: z.string(), kind: z.enum(['oauth2', 'openid']), address: z.string() })),
  /** The address to which a provider leads browsers back. */
  callback_url: z.string(),
  /** Whether passwords sign in nobody. */
  only_providers: z.boolean(),
  /** Names of those who may use theirs all the same, after `wheelhouse reset-password`. */
  readmitted: z.array(z.string()),
})

/** What a provider answered, in its own words and the terms of its protocol. */
const testResult = z.object({
  /** What keeps people from signing in by it. */
  failure: z.string().optional(),
  answers: z.array(z.object({ name: z.string(), value: z.string() })),
})

/** Providers by which people sign in, beside those of `oauth2.json`. Embedded server only, and never by an API token. */
export const signInProviderEndpoints = {
  signInProviders: endpoint('GET', 'wheelhouse/sign-in-providers', {
    access: 'admin',
    reply: signInProviders,
  }),
  createSignInProvider: endpoint('POST', 'wheelhouse/sign-in-providers', {
    makesRecord: true,
    access: 'admin',
    leadsTo: 'access',
    body: signInProviderForm,
    reply: z.object({ id: z.int() }),
  }),
  /** The whole form; the kind stays. A stored secret is kept while it goes to the same receiver. */
  updateSignInProvider: endpoint('PATCH', 'wheelhouse/sign-in-providers/:id', {
    access: 'admin',
    leadsTo: 'access',
    body: signInProviderForm,
  }),
  /** Takes its bindings, and the roles that its rules gave; people who signed in by it are signed out. */
  deleteSignInProvider: endpoint('DELETE', 'wheelhouse/sign-in-providers/:id', {
    access: 'admin',
    leadsTo: 'access',
  }),
  /** Asks a provider, before or after it is saved. Nothing is stored, and nobody is signed in. */
  testSignInProvider: endpoint('POST', 'wheelhouse/sign-in-providers/test', {
    access: 'admin',
    leadsTo: 'access',
    body: z.object({
      /** That of a stored provider, whose secret is used where the form has none. */
      id: z.int().optional(),
      provider: signInProviderForm,
    }),
    reply: testResult,
  }),
  /** Refused while the administrator who asks could not come in by a provider. */
  setOnlyProviders: endpoint('PATCH', 'wheelhouse/only-providers', {
    access: 'admin',
    leadsTo: 'access',
    body: z.object({ only: z.boolean() }),
  }),
} as const

export type StoredSignInProvider = z.output<typeof signInProvider>
export type SignInProviderList = z.output<typeof signInProviders>
export type SignInTestResult = z.output<typeof testResult>
