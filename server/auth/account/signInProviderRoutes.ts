import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { SignInProviderForm } from '../../../src/schemas/account/signInProvider.ts'
import type { RoleAssignment } from '../../../src/schemas/define/access.ts'
import {
  signInProviderEndpoints as endpoints,
  type SignInTestResult,
} from '../../../src/schemas/endpoints/signInProviderEndpoints.ts'
import { addAuditDetails, auditNames, route } from '../../http/routes/route.ts'
import { personOf } from '../../person.ts'
import type { Settings } from '../../settings.ts'
import { ApiError, bodyReader } from '../../wire/apiCall.ts'
import { callbackUrl } from '../oauth2/pendingSignIns.ts'
import { takeAllOf } from '../outside/signInFromOutside.ts'
import { identityOf, redirectOf, type SignInProvider } from '../providers/kinds.ts'
import { testProxy } from '../providers/proxyHeader.ts'
import { createRoleScopes } from '../roles/roleScopes.ts'
import { directoryOf } from './signIn.ts'
import type { Accounts } from './userHooks.ts'

interface ProviderServices extends Accounts {
  settings: Pick<Settings, 'host' | 'publicUrl'>
}

/** Providers of sign-ins in the database, and the setting by which they are the only way in. */
export function registerSignInProviders(app: FastifyInstance, services: ProviderServices): void {
  const { auth, online, settings } = services
  const { store, users, bindings, roles, teams, sessions, administrators, signInProviders: providers } = auth
  const { missingIn } = createRoleScopes(store)

  const toWire = ({ secret, clear_secret: _, ...provider }: SignInProvider) => ({
    ...provider,
    has_secret: secret !== '',
    people: bindings.usersOf(provider.name).length,
  })

  /** What rules give has to exist; what an unchanged rule names that was deleted since stays. @throws ApiError */
  function checkRoles(form: SignInProviderForm, before?: SignInProvider): void {
    const known = new Set((before?.groups ?? []).map((rule) => JSON.stringify(rule)))
    const isRole = (id: RoleAssignment['role']) => roles.all().some((role) => role.id === id)
    for (const rule of form.groups.filter((rule) => !known.has(JSON.stringify(rule)))) {
      if (rule.team !== 0 && !teams.all().some(({ id }) => id === rule.team)) {
        throw new ApiError(`groups: team id ${rule.team} does not exist`)
      }
      for (const given of rule.roles) {
        if (!isRole(given.role)) throw new ApiError(`groups: role id ${given.role} does not exist`)
        const missing = missingIn(given)
        if (missing) throw new ApiError(`groups: ${missing.what} does not exist`)
      }
    }
  }

  /** Ends the sessions of people, but not of the one who asks. */
  function signOut(userIds: readonly number[], but: number): void {
    const ended = userIds.filter((id) => id !== but)
    for (const id of ended) sessions.revokeAll(id)
    online.disconnect(({ person }) => person !== undefined && ended.includes(person.id))
  }

  route(app, 'signInProviders', endpoints.signInProviders, (request) => ({
    providers: providers.stored().map(toWire),
    in_file: providers.inFile().map((one) => ({
      name: one.name,
      kind: one.kind,
      address: (one.kind === 'openid' ? one.issuer : one.authUrl).href,
    })),
    callback_url: callbackUrl(request, store, settings),
    only_providers: providers.isOnlyWay(),
    readmitted: users.all().flatMap(({ readmitted, username }) => (readmitted ? [username] : [])),
  }))
  route(
    app,
    { name: 'createSignInProvider', audit: 'sign-in-provider.create' },
    endpoints.createSignInProvider,
    bodyReader(endpoints.createSignInProvider),
    (request) => {
      checkRoles(request.body)
      const id = providers.create(request.body)
      addAuditDetails(request, { target: `sign-in provider ${id}`, detail: auditNames([request.body.name]) })
      return { id }
    },
  )
  route(
    app,
    { name: 'updateSignInProvider', audit: 'sign-in-provider.update' },
    endpoints.updateSignInProvider,
    bodyReader(endpoints.updateSignInProvider),
    (request) => {
      const { params, body } = request
      const provider = providers.completed(body, params.id)
      const before = existing(params.id)
      checkRoles(body, before)
      const isOther = identityOf(before) !== identityOf(provider)
      if (!provider.enabled || isOther) {
        administrators.checkStaysOne({ provider: before.name, rulesOf: isOther ? before.id : undefined })
      }
      addAuditDetails(request, { target: `sign-in provider ${params.id}`, detail: auditNames([provider.name]) })
      const people = bindings.usersOf(before.name)
      store.urgently(() => {
        bindings.rename(before.name, provider.name)
        // Whoever the other provider knows is somebody else.
        if (isOther) takeAllOf(services, params.id)
        providers.update(provider)
      })
      // Whom it let in, it lets in no more. Their roles wait for when it is enabled again.
      if (isOther || (before.enabled && !provider.enabled)) signOut(people, personOf(request).id)
    },
  )
  route(
    app,
    { name: 'deleteSignInProvider', audit: 'sign-in-provider.delete' },
    endpoints.deleteSignInProvider,
    (request) => {
      const { id } = request.params
      const provider = existing(id)
      const { name } = provider
      administrators.checkStaysOne({ provider: name, rulesOf: id })
      addAuditDetails(request, { target: `sign-in provider ${id}`, detail: auditNames([name]) })
      const people = bindings.usersOf(name)
      store.urgently(() => {
        takeAllOf(services, id)
        bindings.removeProvider(name)
        providers.remove(id)
      })
      signOut(people, personOf(request).id)
    },
  )
  route(
    app,
    { name: 'testSignInProvider', audit: 'sign-in-provider.test' },
    endpoints.testSignInProvider,
    bodyReader(endpoints.testSignInProvider),
    (request) => testProvider(providers.completed(request.body.provider, request.body.id), request),
  )
  route(
    app,
    { name: 'setOnlyProviders', audit: 'sign-in-provider.only' },
    endpoints.setOnlyProviders,
    bodyReader(endpoints.setOnlyProviders),
    (request) => {
      const { only } = request.body
      if (only && !bindings.canSignIn(personOf(request).id)) {
        throw new ApiError(
          'bind an account at a provider in your profile first, and sign in with it: else nobody could',
        )
      }
      addAuditDetails(request, { detail: { only } })
      store.urgently(() => {
        providers.setOnlyWay(only)
        // What the operator of the machine let in once is no way in for ever.
        for (const user of users.find({ readmitted: true })) users.update(user.id, { readmitted: false })
      })
    },
  )

  /** @throws ApiError */
  function existing(id: number): SignInProvider {
    const provider = providers.get(id)
    if (!provider) throw new ApiError(`sign-in provider id ${id} does not exist`)
    return provider
  }
}

/** Asks a provider what it says of itself. @param request that of the administrator, which may come through the proxy */
async function testProvider(provider: SignInProvider, request: Pick<FastifyRequest, 'raw'>): Promise<SignInTestResult> {
  switch (provider.kind) {
    case 'oidc': {
      const asked = redirectOf(provider)
      // The client is large, and few servers have providers.
      const { testOpenid } = await import('../oauth2/testOpenid.ts')
      return asked ? testOpenid(asked) : { answers: [] }
    }
    case 'ldap': {
      const { testLdap } = await import('../ldap/directory.ts')
      return testLdap(directoryOf(provider))
    }
    case 'proxy':
      return testProxy(provider.settings, request)
  }
}
