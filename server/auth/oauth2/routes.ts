import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { visitCookie } from '../../../src/schemas/define/wireNames.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { tellOfDeed } from '../../audit/recordRequests.ts'
import { handle } from '../../http/routes/route.ts'
import type { Person } from '../../person.ts'
import type { Settings } from '../../settings.ts'
import { ApiError } from '../../wire/apiError.ts'
import { readPathId } from '../../wire/readIds.ts'
import type { Auth } from '../auth.ts'
import type { Guard } from '../guard.ts'
import { type ReturnOptions, registerReturn } from './callback.ts'
import { returnAddress } from './callbackAddress.ts'
import { addressFor } from './client.ts'
import { createVisits, visitLifetime } from './pendingSignIns.ts'
import type { Provider, Providers } from './providers.ts'

interface Oauth2Options extends Omit<ReturnOptions, 'visits'> {
  auth: Auth
  guard: Guard
  providers: Providers
  settings: Pick<Settings, 'host' | 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Sign-in and binding at OAuth2 providers (docs/contract/CONTRACT.md#53-oauth2). */
export function registerOauth2(app: FastifyInstance, options: Oauth2Options): void {
  const { auth, guard, providers, settings, now } = options
  const visits = createVisits(auth.store, now)

  async function start(request: FastifyRequest, reply: FastifyReply) {
    const provider = providerIn(request, providers)
    const { type } = request.query as { type?: string | string[] }
    const { cookie, visit } = await visits.seal({
      provider: provider.name,
      intent: readPathId([type ?? ''].flat()[0] ?? ''),
      userId: request.person?.id,
      redirectUri: returnAddress(request, auth.store, settings),
    })
    // Lax: the browser comes back by a link on the provider's page, and Strict would keep the cookie from it.
    reply.setCookie(visitCookie, cookie, {
      path: '/',
      maxAge: visitLifetime,
      httpOnly: true,
      sameSite: 'lax',
      secure: settings.publicUrl?.protocol === 'https:',
    })
    return { redirect: addressFor(provider, visit) }
  }

  function unbind(request: FastifyRequest) {
    const { name } = providerIn(request, providers)
    const person = request.person as Person
    const { bindings, users } = auth
    const needsProvider = users.get(person.id)?.reject_password && !bindings.letIn(person.id, name)
    if (needsProvider) throw new ApiError('operation not permitted')
    bindings.unbind(person.id, name)
    tellOfDeed(request, { target: name })
  }

  handle(app, guard, 'startOauth2', { ...endpoints.startOauth2, path: 'oauth2/:provider' }, start)
  handle(app, guard, 'unbindOauth2', endpoints.unbindOauth2, unbind)
  registerReturn(app, { ...options, visits })
}

/** @throws ApiError unless the path names a provider letter by letter */
function providerIn(request: FastifyRequest, providers: Providers): Provider {
  const provider = providers.get((request.params as { provider: string }).provider)
  if (!provider) throw new ApiError('provider not found')
  return provider
}
