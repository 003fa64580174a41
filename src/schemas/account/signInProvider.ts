import { z } from 'zod'
import { roleAssignment, roleLimits } from '../define/access.ts'
import { limits } from '../define/fields.ts'
import { ldapSettings } from './ldapSettings.ts'
import { proxySettings } from './proxySettings.ts'

/**
 * How many providers there may be, how many rules of each, how many characters the name of a group has, and how many
 * people a provider may have that makes accounts: an issuer may be one that anybody can join.
 */
export const signInLimits = { providers: 20, rules: 200, group: 1024, people: 5000 } as const

/** What people get who are in a group at a provider. Names of groups are compared letter by letter. */
export const groupRule = z.object({
  group: z.string().min(1).max(signInLimits.group),
  roles: z.array(roleAssignment).max(roleLimits.ofPerson).default([]),
  /** Whether they are administrators of everything, as the role 0 of the wire is. */
  administrator: z.boolean().default(false),
  /** The id of a team that they are in; 0: none. */
  team: z.int().min(0).default(0),
})
export type GroupRule = z.output<typeof groupRule>

/** A name within what a provider says of somebody; dots lead into objects, as in `realm_access.roles`. */
const claim = z.string().trim().min(1).max(limits.shortText)

/** OpenID Connect: the provider says the rest itself, below the address of its issuer. */
export const oidcSettings = z.object({
  issuer: z.string().trim().min(1).max(2048),
  client_id: z.string().trim().min(1).max(limits.shortText),
  /** Asked for beside `openid`. */
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'has a space or a character that no scope has'))
    .max(20)
    .default(['profile']),
  /** Where the groups are: in the ID token or, where it lacks them, in what the provider says of the account. */
  groups_claim: claim.default('groups'),
  /** Where the name of a new account is. */
  username_claim: claim.default('preferred_username'),
})

/** @param settings what only providers of this kind have */
const formOf = <Kind extends string, Settings extends z.ZodType>(kind: Kind, settings: Settings) =>
  z.object({
    kind: z.literal(kind),
    /** On the button of the sign-in, and in addresses. */
    name: z.string().trim().min(1).max(64),
    /** Nobody signs in by a provider that is not. */
    enabled: z.boolean().default(true),
    settings,
    /** Empty: the stored one stays. */
    secret: z.string().max(limits.secret).default(''),
    /** Removes the stored secret. */
    clear_secret: z.boolean().default(false),
    /** Whether somebody unknown gets an account at the first sign-in; else people bind an account that they have. */
    create_accounts: z.boolean().default(false),
    groups: z
      .array(groupRule)
      .max(signInLimits.rules)
      .refine(
        (rules) => rules.reduce((sum, { roles }) => sum + roles.length, 0) <= roleLimits.ofPerson,
        `have more than ${roleLimits.ofPerson} roles together: make an own role of several`,
      )
      .refine(
        (rules) => new Set(rules.map(({ group }) => group)).size === rules.length,
        'name a group twice: put its roles into one rule',
      )
      .default([]),
  })

/** A provider of sign-ins as administrators write it; each kind has settings of its own. */
export const signInProviderForm = z.discriminatedUnion('kind', [
  formOf('oidc', oidcSettings),
  formOf('ldap', ldapSettings),
  formOf('proxy', proxySettings),
])
export type SignInProviderForm = z.output<typeof signInProviderForm>
export type SignInKind = SignInProviderForm['kind']
