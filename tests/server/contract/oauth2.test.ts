import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usersIn } from '../../../server/auth/users/users.ts'
import type { Browser, Reply } from '../../support/console/browser.ts'
import { type OidcProvider, startOidcProvider } from '../../support/fakes/oidcProvider.ts'
import { authorizeAtProvider } from '../../support/journeys/oauth2Journey.ts'
import { type Exchange, named, readRecording, timeless } from '../../support/recorded/recording.ts'
import { providersOf } from '../../support/server/auth/providersFile.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

/**
 * Real servers leave the browser on these raw words; this one leads it to a page. docs/decisions/oauth2.md says why.
 */
const leads: Readonly<Record<string, string>> = {
  'oauth2 user not binded yet': 'unbound',
  unauthorized: 'not_signed_in',
  'oauth2: "invalid_grant"': 'rejected',
  'code is required': 'no_code',
  'invalid state key': 'state',
}

describe('exchanges about OAuth2 recorded with a real server are answered the same', () => {
  let oidc: OidcProvider
  let server: TestServer
  /** The sign-in at a provider that is under way: whose it is, and where the browser was sent. */
  let visitor: Browser
  let redirect = ''

  beforeAll(async () => {
    oidc = await startOidcProvider()
    const providers = providersOf({ GitHub: oidc.entry, 'My OIDC': { ...oidc.strictEntry, scopes: [] } })
    server = await testServer({ providers })
  })
  afterAll(() => oidc.close())

  const recorded = named(readRecording('oauth2'))
  it.each(recorded)('%s', async (name, exchange) => {
    const { method, path, headers = {} } = exchange.request
    const isReturn = name.endsWith(': callback') || name === 'session created by callback'
    if (!isReturn) visitor = await browserOf(headers)
    usersIn(server.store).update(2, { reject_password: name.includes('reject_password') })
    const reply = await visitor.call(method, name.endsWith(': callback') ? await returning(path) : path)
    const data = (reply.body as { data?: { redirect?: string } } | undefined)?.data
    redirect = data?.redirect ?? redirect
    expectSame(reply, exchange)
  })

  /** A browser at the recorded address; where a session was recorded, it is the member's. */
  async function browserOf(headers: Record<string, string>): Promise<Browser> {
    const address = headers['X-Real-IP']
    usersIn(server.store).update(2, { reject_password: false })
    return headers.Cookie?.includes('nz-jwt') ? signedIn(server, 'member', address) : server.browser(address)
  }

  /** The recorded way back with this visit's state and, for a good code, the provider's. */
  async function returning(path: string): Promise<string> {
    const url = new URL(path, 'http://localhost')
    url.searchParams.set('state', new URL(redirect).searchParams.get('state') ?? '')
    if (url.searchParams.get('code') === 'good') {
      url.searchParams.set('code', (await authorizeAtProvider(new URL(redirect))).searchParams.get('code') ?? '')
    }
    return url.pathname + url.search
  }
})

function expectSame({ status, headers, body, text }: Reply, { response }: Exchange): void {
  const failure = leads[(response.body as { error?: string } | undefined)?.error ?? '']
  if (failure) {
    expect([status, headers.location]).toEqual([302, `/dashboard/login?oauth2_error=${failure}`])
    return
  }
  expect([status, headers.location]).toEqual([response.status, response.headers.location])
  expect(headers['content-type']).toBe(response.headers['content-type'])
  if (response.body === undefined) expect(text).toBe(response.bodyText)
  else expect(comparable(body)).toEqual(comparable(response.body))
  expect(cookiesIn(headers['set-cookie'])).toEqual(cookiesIn(response.headers['set-cookie']))
}

/** The body without secrets and times, and of an address only its query. */
function comparable(body: unknown): unknown {
  return JSON.parse(JSON.stringify(timeless(body)), (key, value) => {
    if (key === 'agent_secret') return '<token>'
    if (key !== 'redirect') return value
    const asked = [...new URL(value).searchParams].map(([name, text]) => {
      const ours = { client_id: '<client>', state: '<token>', scope: '<scope>' }[name]
      return [name, ours ?? text.replace(/^http:\/\/[^/]+/, '')] as const
    })
    // PKCE, which real servers do not use.
    return Object.fromEntries(asked.filter(([name]) => !name.startsWith('code_challenge')))
  })
}

/**
 * Names with attributes. Here a visit's cookie goes with its end, and is never sent along from other sites' pages; and
 * browsers in which somebody has signed in are known by one more.
 */
const cookiesIn = (header: string | string[] | undefined) =>
  [header ?? []]
    .flat()
    .filter((cookie) => !/^(nz-o2s=;|nz-kb=)/.test(cookie))
    .map((cookie) =>
      cookie
        .replace(/^([^=]+)=[^;]+/, '$1')
        .replace(/^(nz-o2s.*); SameSite=Lax/, '$1')
        .split('; ')
        .sort(),
    )
