import { beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '../../support/console/browser.ts'
import { type Exchange, named, readRecording, timeless } from '../../support/recorded/recording.ts'
import { password, signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

/** Where this server differs on purpose; docs/decisions/sign-in.md says why. */
const departures: Record<string, { status: number; body: unknown }> = {
  'profile as admin (query token)': { status: 200, body: { error: 'ApiErrorUnauthorized' } },
  'refresh-token GET (old dialect)': {
    status: 200,
    body: { success: true, data: { token: '<token>', expire: '<moment>' } },
  },
}

describe.each(['auth', 'csrf'])('every exchange of the recording "%s" goes the same way here', (file) => {
  let server: TestServer
  beforeAll(async () => {
    // Recorded on a server that knew no addresses, and called itself Nezha; the last lines are from later.
    server = await testServer({ site: { web_real_ip_header: '', site_name: 'Nezha' } })
  })

  it.each(named(readRecording(file)))('%s', async (name, exchange) => {
    const reply = await replay(server, exchange)
    const expected = departures[name] ?? exchange.response
    expect(reply.status).toBe(expected.status)
    if (expected.body === undefined) expect(reply.text).toBe(exchange.response.bodyText)
    else expect(comparable(reply.body)).toEqual(comparable(expected.body))
    if (name in departures) return
    const { headers } = exchange.response
    expect(reply.headers['content-type']).toBe(headers['content-type'])
    expect(reply.headers['www-authenticate']).toBe(headers['www-authenticate']?.replace('Contract', 'Nezha'))
    expect(reply.headers.location).toBe(headers.location)
    expect(cookiesIn(reply.headers['set-cookie'])).toEqual(cookiesIn(headers['set-cookie']))
  })
})

/** Secrets and moments by one word each, and without what this server alone tells. */
function comparable(body: unknown): unknown {
  const secrets = new Set(['token', 'agent_secret'])
  const withoutOurs = JSON.stringify(timeless(body), (key, value) => {
    if (key === 'wheelhouse' || key === 'tsdb_enabled') return undefined
    // Ids differ: the recordings belong to one long life of a server.
    return secrets.has(key) ? '<token>' : value
  })
  return JSON.parse(withoutOurs)
}

/** Names with attributes, in no order. */
function cookiesIn(header: string | string[] | undefined): string[][] {
  return [header ?? []].flat().map((cookie) =>
    cookie
      .replace(/^([^=]+)=[^;]+/, '$1')
      .split('; ')
      .sort(),
  )
}

/** Recordings hide secrets behind one word; what each of them was follows from the exchange's name. */
async function replay(server: TestServer, { name, request }: Exchange): Promise<Reply> {
  const browser = await signedIn(server)
  const fresh = { token: browser.cookies.get('nz-jwt') ?? '', csrf: browser.cookies.get('nz-csrf') ?? '' }
  const token = name.includes('garbage') ? 'garbage' : fresh.token
  const selfMade = `${'a'.repeat(64)}.${'b'.repeat(64)}`
  const csrf = name.includes('unsigned') ? selfMade : fresh.csrf
  const sent = name.includes('mismatching') ? (await signedIn(server)).cookies.get('nz-csrf') : csrf
  const words: Record<string, string> = {
    Authorization: `Bearer ${token}`,
    'X-CSRF-Token': sent ?? '',
  }
  const headers = Object.entries(request.headers ?? {}).map(([key, value]) => {
    const cookies = value.replace('nz-jwt=<token>', `nz-jwt=${token}`).replace('nz-csrf=<token>', `nz-csrf=${csrf}`)
    return [key.toLowerCase(), words[key] ?? cookies]
  })
  const body = 'body' in request ? JSON.stringify(withOurPassword(request.body)) : request.bodyText
  const path = request.path.replace('<token>', token)
  // A new browser: nothing but what was recorded is sent.
  return server.browser().call(request.method, path, { body, headers: Object.fromEntries(headers) })
}

const withOurPassword = (body: unknown) =>
  JSON.parse(JSON.stringify(body, (key, value) => (key === 'password' && value === 'admin' ? password : value)))
