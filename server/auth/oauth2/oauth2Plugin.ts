import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { pendingSignInCookie, providerUnusable } from '../../../src/schemas/define/wireNames.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { addAuditDetails, type RequestOf, route } from '../../http/routes/route.ts'
import { personOf } from '../../person.ts'
import type { Settings } from '../../settings.ts'
import { ApiError } from '../../wire/apiError.ts'
import { readPathId } from '../../wire/readIds.ts'
import { takeFrom } from '../outside/applyGroups.ts'
import type { Provider, Providers } from '../providers/providers.ts'
import { requireRecentProof } from '../secondFactor/reauthentication.ts'
import { type CallbackOptions, registerCallback, signInByProxy, warnOfProvider } from './callback.ts'
import { callbackUrl } from './callbackUrl.ts'
import { bindsAccount, createPendingSignIns, type PendingSignIn, pendingSignInLifetime } from './pendingSignIns.ts'
import { registerProxyPages } from './proxyPages.ts'

interface Oauth2Options extends Pick<CallbackOptions, 'warnRarely'> {
  settings: Pick<Settings, 'host' | 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Sign-in and binding at OAuth2 providers (docs/contract/CONTRACT.md#53-oauth2). */
export const oauth2Plugin = fp(registerOauth2, {
  name: 'oauth2',
  dependencies: ['security', 'audit', 'proofs', 'account'],
})

async function registerOauth2(app: FastifyInstance, options: Oauth2Options): Promise<void> {
  const { settings, now } = options
  const { auth, audit, signIns, signInFromOutside } = app
  const providers = auth.signInProviders.redirecting
  const pendingSignIns = createPendingSignIns(auth.store, now)

  async function start(request: RequestOf<typeof endpoints.startOauth2>, reply: FastifyReply) {
    const proxy = auth.proxies.named(request.params.provider)
    const provider = proxy ?? providerOf(request.params.provider, providers())
    const intent = readPathId(request.query.type)
    const { person, session } = request
    // A bound account opens sessions for ever: to have found an open browser must not be enough to bind one.
    if (person && session && bindsAccount({ intent })) {
      requireRecentProof(auth, { person, session, leadsTo: 'access' })
    }
    const { cookie, pending } = await pendingSignIns.create({
      provider: provider.name,
      intent,
      userId: person?.id,
      redirectUri: callbackUrl(request, auth.store, settings),
    })
    // A proxy has asked already: the way back is the whole way.
    const redirect =
      provider.kind === 'proxy' ? `${pending.redirectUri}?state=${pending.state}` : await addressOf(provider, pending)
    // Lax: the browser comes back from the provider's page, and Strict would hold the cookie back.
    reply.setCookie(pendingSignInCookie, cookie, {
      path: '/',
      maxAge: pendingSignInLifetime,
      httpOnly: true,
      sameSite: 'lax',
      secure: auth.isTls,
    })
    return { redirect }
  }

  /** The page of the provider. @throws ApiError when it does not say where that is */
  async function addressOf(provider: Provider, pending: PendingSignIn): Promise<string> {
    // Few servers have providers, and the client is large.
    const { authorizationUrl, describeError } = await import('./client.ts')
    try {
      return await authorizationUrl(provider, pending)
    } catch (error) {
      warnOfProvider(options.warnRarely, provider.name, describeError(error))
      throw new ApiError(providerUnusable)
    }
  }

  /** One at which people have accounts, of any kind; `id` is 0 for one of the file. @throws ApiError */
  function boundProvider(name: string): { id: number; name: string } {
    const stored = auth.signInProviders.stored().find((one) => one.enabled && one.name === name)
    return stored ?? { id: 0, name: providerOf(name, providers()).name }
  }

  function unbind(request: RequestOf<typeof endpoints.unbindOauth2>): void {
    const { id, name } = boundProvider(request.params.provider)
    const person = personOf(request)
    const { bindings, users, administrators } = auth
    const user = users.get(person.id)
    const needsProvider = user && (user.reject_password || !auth.needsNoProvider(user))
    if (needsProvider && !bindings.canSignIn(person.id, [name])) throw new ApiError('operation not permitted')
    administrators.checkStaysOne({ binding: { user: person.id, provider: name } })
    auth.store.urgently(() => {
      bindings.unbind(person.id, name)
      takeFrom({ auth, now }, id, person.id)
    })
    addAuditDetails(request, { target: name })
  }

  route(app, 'startOauth2', endpoints.startOauth2, start)
  route(app, { name: 'unbindOauth2', audit: 'oauth2.unbind' }, endpoints.unbindOauth2, unbind)
  registerProxyPages(app, {
    auth,
    warnRarely: options.warnRarely,
    signIn: (request, reply, proxied) => signInByProxy(request, reply, proxied, { auth, signInFromOutside, signIns }),
  })
  registerCallback(app, { ...options, auth, audit, signIns, signInFromOutside, providers, pendingSignIns })
}

/** @throws ApiError unless there is a provider of exactly that name */
function providerOf(name: string, providers: Providers): Provider {
  const provider = providers.get(name)
  if (!provider) throw new ApiError('provider not found')
  return provider
}
