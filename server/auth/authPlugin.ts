import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import type { Grants } from '../person.ts'
import type { Settings } from '../settings.ts'
import { type AddressDatabase, openAddressDatabase } from './addresses/addressDatabase.ts'
import { type Auth, createAuth } from './auth.ts'
import { createOnlineUsers, type OnlineUsers } from './blocking/onlineUsers.ts'
import { createGuard } from './guard.ts'
import type { PasswordCost } from './passwords/password.ts'
import type { Providers } from './providers/providers.ts'
import type { KeySource } from './secondFactor/secretBox.ts'

declare module 'fastify' {
  interface FastifyInstance {
    auth: Auth
    /** Where addresses are; `undefined` without a database. */
    addressDatabase: AddressDatabase | undefined
    onlineUsers: OnlineUsers
    /** Whether visitors see nothing before they sign in. */
    forceAuth: boolean
    /** The role of whom a record belongs to; `undefined` when there is no such user or team any more. */
    roleOf(ownerId: number): number | undefined
    /** A user's name; `undefined` when there is no such user any more. */
    usernameOf(userId: number): string | undefined
    /** What a user's further roles let them do. */
    grantsOf(userId: number): Grants
    hasSecondFactor(userId: number): boolean
    /** Whether a sign-in may begin with a passkey. */
    offersPasskeys(): boolean
  }
}

interface AuthOptions {
  store: Store
  log: Pick<Log, 'error' | 'warn'>
  settings: Pick<Settings, 'publicUrl' | 'tls' | 'forceAuth' | 'geoipDatabase'>
  /** The providers of `oauth2.json`. */
  providers: Providers
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** See `createAuth`. */
  secondFactorKey?: KeySource
  /** See `createAuth`. */
  passwordCost?: PasswordCost
}

/** Identifies people: the guard that routes are registered with, and the users who are connected. It has no routes. */
export const authPlugin = fp(
  async (
    app: FastifyInstance,
    { store, log, settings, providers, now, secondFactorKey, passwordCost }: AuthOptions,
  ) => {
    const { geoipDatabase } = settings
    const addressDatabase = geoipDatabase ? openAddressDatabase(geoipDatabase, { log, now }) : undefined
    app.decorate('addressDatabase', addressDatabase)
    const auth = createAuth({
      store,
      now,
      isTls: settings.tls !== undefined || settings.publicUrl?.protocol === 'https:',
      providers,
      secondFactorKey,
      passwordCost,
      providerOf: addressDatabase?.providerOf,
      onFailure: (error) => log.error('Sign-ins could not be saved; they count all the same:', error),
    })
    app.addHook('onClose', async () => {
      auth.sessions.close()
      auth.apiTokens.flush()
      auth.waf.flush()
    })
    app.decorate('auth', auth)
    app.decorate('guard', createGuard(auth, settings.forceAuth))
    // A body may take a minute: what has ended meanwhile must not act.
    app.addHook('preHandler', async (request) => request.judgeAgain?.())
    app.decorate('forceAuth', settings.forceAuth === true)
    app.decorate('onlineUsers', createOnlineUsers())
    // Services and alert rules ask for each of thousands of machines.
    app.decorate('roleOf', auth.roleOf)
    app.decorate('usernameOf', (id: number) => auth.users.get(id)?.username)
    app.decorate('grantsOf', auth.roles.grantsOf)
    app.decorate('hasSecondFactor', auth.secondFactor.has)
    app.decorate('offersPasskeys', () => !auth.signInProviders.isOnlyWay() && auth.secondFactor.passkeys.isAnyStored())
  },
  { name: 'auth', dependencies: ['http'] },
)
