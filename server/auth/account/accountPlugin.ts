import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { createOwnedRecords } from '../../api/ownedRecords.ts'
import type { WarnRarely } from '../../http/rareWarning.ts'
import { addAuditDetails, auditTarget, route } from '../../http/routes/route.ts'
import type { Settings } from '../../settings.ts'
import { readTexts } from '../../wire/readFields.ts'
import { blockAddresses, onlineUserHooks, wafHooks } from '../blocking/wafHooks.ts'
import { createSignInFromOutside, type SignInFromOutside } from '../outside/signInFromOutside.ts'
import { registerInvitations } from './invitationRoutes.ts'
import { registerApiTokens, registerOwnSessions, registerProfileUpdate } from './ownAccountRoutes.ts'
import { registerRoles } from './roleRoutes.ts'
import { createDirectorySignIn, registerDirectoryBinding } from './signIn.ts'
import { registerSignInProviders } from './signInProviderRoutes.ts'
import { registerSignIn } from './signInRoutes.ts'
import { registerTeams } from './teamRoutes.ts'
import { registerDeleteUsers, registerPeople, userHooks } from './userHooks.ts'

declare module 'fastify' {
  interface FastifyInstance {
    signInFromOutside: SignInFromOutside
  }
}

interface AccountOptions {
  /** The clock, in milliseconds since 1970. */
  now: () => number
  warnRarely: WarnRarely
  settings: Pick<Settings, 'host' | 'publicUrl'>
}

/** Sign-in with a password, the own account and its sessions, and what administrators see of users and visitors. */
export const accountPlugin = fp(
  async (app: FastifyInstance, { now, settings, warnRarely }: AccountOptions) => {
    const { auth, audit, signIns, onlineUsers: online } = app
    registerOwnSessions(app, auth)
    registerApiTokens(app, auth, now)
    registerProfileUpdate(app, { auth, audit, online, now })
    app.entityHooks.set('waf', wafHooks(auth.waf))
    app.entityHooks.set('online-user', onlineUserHooks(online))
    app.entityHooks.set('user', userHooks({ auth, online, now }))
    const owned = createOwnedRecords({ store: auth.store, hooks: app.entityHooks, roleOf: app.roleOf })
    registerDeleteUsers(app, { auth, online, now }, owned)
    registerRoles(app, { auth, owned, now })
    app.decorate('signInFromOutside', createSignInFromOutside({ auth, audit, owned, now }))
    const directories = createDirectorySignIn({ auth, signInFromOutside: app.signInFromOutside, warnRarely })
    registerSignIn(app, { auth, audit, signIns, directories })
    registerDirectoryBinding(app, { auth, audit, directories, now })
    registerSignInProviders(app, { auth, online, now, settings })
    registerTeams(app, auth, owned)
    registerPeople(app, { auth, online, now })
    registerInvitations(app, {
      auth,
      now,
      audit,
      signIns,
      publicUrl: settings.publicUrl,
      mayCallPrivateTargets: app.mayCallPrivateTargets,
    })
    route(app, { name: 'blockOnlineUsers', audit: 'waf.block' }, endpoints.blockOnlineUsers, readTexts, (request) => {
      const addresses = request.body
      addAuditDetails(request, { target: auditTarget('ip', addresses) })
      blockAddresses(auth.waf, online, addresses)
    })
  },
  { name: 'account', dependencies: ['entity-hooks', 'security', 'audit', 'proofs', 'outbound'] },
)
