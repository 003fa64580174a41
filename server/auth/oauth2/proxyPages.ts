import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import { type Oauth2Failure, signedOutCookie } from '../../../src/schemas/define/wireNames.ts'
import type { WarnRarely } from '../../http/rareWarning.ts'
import { addressGroup } from '../addresses/canonicalAddress.ts'
import type { Auth } from '../auth.ts'
import { authenticate } from '../guard.ts'
import type { Proxied, ProxyProvider } from '../providers/proxies.ts'
import { ProxyHeaderError } from '../proxy/proxyHeader.ts'

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
export function registerProxyPages(app: FastifyInstance, { auth, warnRarely, signIn }: ProxyPageOptions): void {
  app.beforePages.push(async (request, reply) => {
    const proxied = personOf(request)
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

  function personOf(request: FastifyRequest) {
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
