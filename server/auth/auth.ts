import type { FastifyRequest } from 'fastify'
import { unrecorded } from '../changes/changeOrigin.ts'
import type { Store } from '../db/store.ts'
import { ifWritable } from '../db/storeError.ts'
import type { ResidentTable } from '../db/table.ts'
import { timestamp } from '../wire/apiCall.ts'
import { type ApiTokens, createApiTokens } from './apiTokens.ts'
import { createWaf, type Waf } from './blocking/blockedAddresses.ts'
import {
  createHashQueue,
  type HashQueue,
  hashPassword,
  type PasswordCost,
  recommendedCost,
} from './passwords/password.ts'
import type { Providers } from './providers/providers.ts'
import {
  createProxies,
  createSignInProviders,
  type Proxies,
  type SignInProviders,
} from './providers/signInProviders.ts'
import { createRoles, type Roles } from './roles/roles.ts'
import { createSecondFactor, type SecondFactor } from './secondFactor/secondFactor.ts'
import type { KeySource } from './secondFactor/secretBox.ts'
import {
  type Csrf,
  createCsrf,
  createKnownBrowsers,
  createSessionCookies,
  type KnownBrowsers,
  type SessionCookies,
} from './sessions/cookies.ts'
import { createSessionNetwork, type SessionNetwork } from './sessions/sessionNetwork.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'
import { createTeams, ownerRolesIn, type Teams } from './teams/teams.ts'
import { type Administrators, createAdministrators } from './users/administrators.ts'
import { type FurtherAgentSecrets, furtherAgentSecrets } from './users/furtherAgentSecrets.ts'
import { type Bindings, createBindings } from './users/oauth2Bindings.ts'
import { createInvitations, type Invitations, type User, usersIn } from './users/users.ts'

/** Users, sessions and what protects them. */
export interface Auth {
  store: Store
  users: ResidentTable<User>
  sessions: Sessions
  sessionNetwork: SessionNetwork
  apiTokens: ApiTokens
  csrf: Csrf
  sessionCookies: SessionCookies
  knownBrowsers: KnownBrowsers
  waf: Waf
  hashQueue: HashQueue
  /** What new password hashes cost. */
  passwordCost: PasswordCost
  /** A hash for names that do not exist: they take as long to refuse as those that do. */
  unknownUserHash(): Promise<string>
  /** Which account at a provider signs in which user. */
  bindings: Bindings
  /** The providers by which people sign in. */
  signInProviders: SignInProviders
  /** Proxies in front that say who somebody is. */
  proxies: Proxies
  /** Whether a user may sign in without a provider, by password or by passkey alone. */
  needsNoProvider(user: User): boolean
  /** Those who can sign in, of whom one stays. */
  administrators: Administrators
  furtherSecrets: FurtherAgentSecrets
  invitations: Invitations
  /** The further roles of users. */
  roles: Roles
  /** People and servers under a name. */
  teams: Teams
  /** Whether browsers reach this server with TLS only. */
  isTls: boolean
  secondFactor: SecondFactor
  /** A user who may sign in and act: not one who was deleted or disabled. */
  activeUser(id: number | undefined): User | undefined
  /** The role of whom records belong to: a user's, or that of a member for a team; `undefined` where they are gone. */
  roleOf(ownerId: number): number | undefined
  /** Notes that a session of a user began or was renewed. */
  recordSeen(id: number): void
  /** Who made a request, as they are now: without a person when their session, API token or account has ended. */
  current(visitor: Visitor): Visitor
  /**
   * Whether what somebody opened may go on: their session or API token and their account are there, and they have the
   * role that they had; true for a visitor with neither.
   */
  isAlive(visitor: Visitor): boolean
}

type Visitor = Pick<FastifyRequest, 'person' | 'session'>

interface AuthOptions {
  store: Store
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** Whether browsers reach this server with TLS only. */
  isTls?: boolean
  /** Those of `oauth2.json`. Default: none. */
  providers?: Providers
  /** Where the key for the secrets of authenticator apps is. Default: in the database, for one in memory. */
  secondFactorKey?: KeySource
  /** What new password hashes cost. Default: what OWASP recommends. */
  passwordCost?: PasswordCost
  /** The provider's network of an address; '' when it is not known. Default: of none. */
  providerOf?: (address: string) => string
  /** Called when what was counted or signed in cannot be saved, as on a full disk. */
  onFailure?: (error: unknown) => void
}

export function createAuth(options: AuthOptions): Auth {
  const { store, now, isTls = false, providers = new Map(), secondFactorKey, onFailure } = options
  const { passwordCost = recommendedCost, providerOf = () => '' } = options
  const csrf = createCsrf(store)
  const sessions = createSessions(store, now, onFailure)
  const apiTokens = createApiTokens(store, now, onFailure)
  const users = usersIn(store)
  const teams = createTeams(store)
  const signInProviders = createSignInProviders(store, providers)
  const bindings = createBindings(store, signInProviders.enabled)
  const secondFactor = createSecondFactor(store, now, secondFactorKey)
  let unknownUserHash: Promise<string> | undefined

  function activeUser(id = 0): User | undefined {
    const user = users.get(id)
    return user?.disabled ? undefined : user
  }

  function current({ person, session }: Visitor): Visitor {
    const user = activeUser(person?.id)
    const now = session && sessions.current(session)
    const isOver = person?.token ? !apiTokens.isAlive(person.token.id) : !now
    return person && user && !isOver
      ? { person: { ...person, username: user.username, role: user.role }, session: now }
      : {}
  }

  return {
    store,
    isTls,
    users,
    sessions,
    sessionNetwork: createSessionNetwork(store, providerOf),
    apiTokens,
    csrf,
    sessionCookies: createSessionCookies(csrf, isTls),
    knownBrowsers: createKnownBrowsers({ store, users, now }, isTls),
    waf: createWaf(store, now, onFailure),
    hashQueue: createHashQueue(),
    passwordCost,
    unknownUserHash() {
      unknownUserHash ??= hashPassword('', passwordCost)
      return unknownUserHash
    },
    bindings,
    signInProviders,
    proxies: createProxies(signInProviders, bindings),
    needsNoProvider: (user) => user.readmitted || !signInProviders.isOnlyWay(),
    administrators: createAdministrators({
      users,
      bindings,
      isOnlyWay: signInProviders.isOnlyWay,
      hasPasskey: (userId) => secondFactor.passkeys.ofUser(userId).length > 0,
    }),
    furtherSecrets: furtherAgentSecrets(store),
    invitations: createInvitations(store, users, now),
    roles: createRoles(store, users, teams),
    teams,
    secondFactor,
    activeUser,
    roleOf: ownerRolesIn(store),
    recordSeen: (id) => ifWritable(() => unrecorded(() => users.update(id, { last_seen_at: timestamp(now()) }))),
    current,
    isAlive: (visitor) => !visitor.person || current(visitor).person?.role === visitor.person.role,
  }
}
