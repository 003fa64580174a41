import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import {
  type Oauth2Failure,
  pendingSignInCookie,
  providerUnusable,
  signedOutCookie,
} from '../../../src/schemas/define/wireNames.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import type { WarnRarely } from '../../http/rareWarning.ts'
import { addAuditDetails, type RequestOf, route } from '../../http/routes/route.ts'
import { personOf } from '../../person.ts'
import type { Settings } from '../../settings.ts'
import { ApiError } from '../../wire/apiCall.ts'
import { readPathId } from '../../wire/readFields.ts'
import { addressGroup } from '../addresses/clientAddress.ts'
import type { Auth } from '../auth.ts'
import { authenticate } from '../guard.ts'
import { takeFrom } from '../outside/signInFromOutside.ts'
import type { Provider, Providers } from '../providers/providers.ts'
import { ProxyHeaderError } from '../providers/proxyHeader.ts'
import type { Proxied, ProxyProvider } from '../providers/signInProviders.ts'
import { requireRecentProof } from '../secondFactor/reauthentication.ts'
import { type CallbackOptions, registerCallback, signInByProxy, warnOfProvider } from './callback.ts'
import {
  bindsAccount,
  callbackUrl,
  createPendingSignIns,
  type PendingSignIn,
  pendingSignInLifetime,
} from './pendingSignIns.ts'

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

interface ProxyPageOptions {
  auth: Auth
  warnRarely: WarnRarely
  /** Opens the session, or waits for the second factor. @returns why not, or what is still to be done */
  signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    proxied: Proxied,
  ): Promise<'open' | 'second factor' | { refusal: Oauth2Failure }>
}

const login = `${consolePath}/login`

/**
 * A page of the console that is opened through a proxy which says who it is for needs no sign-in page: it begins the
 * session. The page after a sign-out leads to where the proxy forgets the person.
 */
function registerProxyPages(app: FastifyInstance, { auth, warnRarely, signIn }: ProxyPageOptions): void {
  app.beforePages.push(async (request, reply) => {
    const proxied = proxiedPerson(request)
    if (proxied === 'refused') return redirect(reply, `${login}?oauth2_error=failed`, request)
    if (!proxied) return false
    const { pathname, searchParams } = new URL(request.url, 'http://localhost')
    const target = signOutTarget(request, reply, proxied.provider, pathname)
    if (target !== undefined) return redirect(reply, target, request)
    if (pathname === login && !leadsFurther(searchParams)) return false
    await authenticate(auth, request)
    if (request.session) return false
    const outcome = await signIn(request, reply, proxied)
    if (outcome === 'open') return false
    if (outcome === 'second factor') return redirect(reply, `${login}?second_factor=true`, request)
    return redirect(reply, `${login}?oauth2_error=${outcome.refusal}`, request)
  })

  function proxiedPerson(request: FastifyRequest) {
    try {
      return auth.proxies.personOf(request)
    } catch (error) {
      if (!(error instanceof ProxyHeaderError)) throw error
      warnRarely(
        `A proxy sent a header that names nobody (${error.message}): check that it drops what clients send`,
        `proxy header ${addressGroup(request.address)}`,
      )
      return 'refused'
    }
  }

  /** Where the browser goes after it has signed out here. */
  function signOutTarget(
    { cookies }: FastifyRequest,
    reply: FastifyReply,
    { settings }: ProxyProvider,
    pathname: string,
  ): string | undefined {
    if (pathname !== login || cookies[signedOutCookie] === undefined) return undefined
    reply.clearCookie(signedOutCookie, { path: consolePath })
    return settings.sign_out_url || undefined
  }
}

/** Whether the sign-in page was opened on the way to another one, and not for its own sake or to say what failed. */
const leadsFurther = (query: URLSearchParams) =>
  query.has('next') && !query.has('oauth2_error') && !query.has('second_factor') && !query.has('oauth2')

/** @returns whether the browser is led elsewhere: the page that says what failed is shown, whatever the proxy says */
function redirect(reply: FastifyReply, location: string, { url }: FastifyRequest): boolean {
  if (url === location) return false
  void reply.code(302).header('location', location).header('cache-control', 'no-store').send()
  return true
}
