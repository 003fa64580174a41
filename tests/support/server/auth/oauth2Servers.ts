import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Browser, Reply } from '../../console/browser.ts'
import { type OidcProvider, startOidcProvider } from '../../fakes/oidcProvider.ts'
import { signInAtProvider } from '../../journeys/oauth2Journey.ts'
import { signedIn, type TestServer, testServer } from '../testServer.ts'
import { providersOf } from './providersFile.ts'

type Options = Parameters<typeof testServer>[0]

/** Servers with two providers, GitHub and My OIDC, for all tests of a file. */
export function oauth2Servers() {
  let oidc: OidcProvider
  beforeAll(async () => {
    oidc = await startOidcProvider()
  })
  afterAll(() => oidc.close())
  beforeEach(() => Object.assign(oidc, { account: '4711', consents: true, calls: [] }))

  const open = (options: Options = {}) =>
    testServer({ providers: providersOf({ GitHub: oidc.entry, 'My OIDC': oidc.strictEntry }), ...options })
  return {
    /** What is behind both. */
    provider: () => oidc,
    open,
    /** A server on which `member` has bound account 4711 at GitHub. */
    async withBoundMember(options: Options = {}) {
      const server = await open(options)
      const member = await signedIn(server, 'member')
      expect((await signInAtProvider(member, 'GitHub', 2)).headers.location).toBe('/dashboard/profile?oauth2=true')
      return { server, member }
    },
  }
}

export const redirectOf = (reply: Reply) => [reply.status, reply.headers.location]
export const failedWith = (code: string, page = 'login') => [302, `/dashboard/${page}?oauth2_error=${code}`]
export const failures = ({ app }: TestServer, ip = '127.0.0.1') => app.auth.waf.rows().filter((row) => row.ip === ip)
export const profileOf = async (browser: Browser) =>
  ((await browser.get('profile')).body as { data?: Record<string, unknown> }).data
