import { beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '../../support/console/browser.ts'
import { type Exchange, named, readRecording, timeless } from '../../support/recorded/recording.ts'
import { password, signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

/** Where this server differs on purpose; docs/decisions/host-and-origin-checks.md says why. */
const differences: Record<string, { status: number; body: unknown }> = {
  'profile as admin (query token)': { status: 200, body: { error: 'ApiErrorUnauthorized' } },
  'refresh-token GET (old dialect)': {
    status: 200,
    body: { success: true, data: { token: '<token>', expire: '<moment>' } },
  },
}

describe.each(['auth', 'csrf'])('exchanges of the recording "%s" are answered the same', (file) => {
  let server: TestServer
  beforeAll(async () => {
    // Recorded on a server without client addresses whose name was Nezha; the last exchanges were added later.
    server = await testServer({ site: { web_real_ip_header: '', site_name: 'Nezha' } })
  })

  it.each(named(readRecording(file)))('%s', async (name, exchange) => {
    const reply = await replay(server, exchange)
    const expected = differences[name] ?? exchange.response
    expect(reply.status).toBe(expected.status)
    if (expected.body === undefined) expect(reply.text).toBe(exchange.response.bodyText)
    else expect(comparable(reply.body)).toEqual(comparable(expected.body))
    if (name in differences) return
    const { headers } = exchange.response
    expect(reply.headers['content-type']).toBe(headers['content-type'])
    expect(reply.headers['www-authenticate']).toBe(headers['www-authenticate']?.replace('Contract', 'Nezha'))
    expect(reply.headers.location).toBe(headers.location)
    expect(cookiesIn(reply.headers['set-cookie'])).toEqual(cookiesIn(headers['set-cookie']))
  })
})

/** The body with one word for every secret and time, without the keys that only this server sends. */
function comparable(body: unknown): unknown {
  const secrets = new Set(['token', 'agent_secret'])
  const withoutOurs = JSON.stringify(timeless(body), (key, value) => {
    if (key === 'wheelhouse' || key === 'tsdb_enabled') return undefined
    // Ids differ: all recordings come from one running server.
    return secrets.has(key) ? '<token>' : value
  })
  return JSON.parse(withoutOurs)
}

/** Names with attributes, in any order, without the cookie that only this server sends. */
function cookiesIn(header: string | string[] | undefined): string[][] {
  const cookies = [header ?? []].flat().filter((cookie) => !cookie.startsWith('nz-kb='))
  return cookies.map((cookie) =>
    cookie
      .replace(/^([^=]+)=[^;]+/, '$1')
      .split('; ')
      .sort(),
  )
}

/** Recordings replace secrets by one word; the name of the exchange says what the secret was. */
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
  // A new browser, which sends nothing but the recorded headers.
  return server.browser().call(request.method, path, { body, headers: Object.fromEntries(headers) })
}

const withOurPassword = (body: unknown) =>
  JSON.parse(JSON.stringify(body, (key, value) => (key === 'password' && value === 'admin' ? password : value)))
