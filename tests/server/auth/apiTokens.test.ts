import { beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Reply } from '../../support/console/browser.ts'
import { type Exchange, named, readRecording, timeless } from '../../support/recorded/recording.ts'
import { programOf, programWith } from '../../support/server/auth/apiToken.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { addMachine } from '../../support/server/routes/validForm.ts'
import { type TestServer, testServer } from '../../support/server/testServer.ts'

const unknown = { error: 'ApiErrorUnauthorized: invalid api token' }

interface Listed {
  id: number
  name: string
  last_used_at?: string
  last_used_ip?: string
}

const listOf = async (browser: Browser) => ((await browser.get('api-tokens')).body as { data?: Listed[] }).data ?? []

async function create(browser: Browser, form: Record<string, unknown> = {}) {
  const body = { name: 'ci', scopes: ['nezha:inventory:read'], ...form }
  const reply = await browser.call('POST', 'api-tokens', { body })
  return { reply, ...(reply.body as { data: { id: number; token: string } }).data }
}

describe('exchanges about API tokens recorded with a real server are answered the same', () => {
  const exchanges = readRecording('api-tokens')
  /** The recording says `<token>` for all of them: which one it was follows from the name. */
  const tokenFor: Record<string, string> = {
    'use: POST without CSRF allowed': 'all',
    'use: file needs three scopes': 'ci',
    'use: unknown token': 'unknown',
  }
  let server: TestServer
  const secrets: Record<string, string> = { unknown: 'nzp_none' }
  beforeAll(async () => {
    server = await recordedServer()
  })

  async function played({ name, request }: Exchange): Promise<Reply> {
    const { body, method, path } = request
    if (name.startsWith('use')) {
      const secret = secrets[tokenFor[name] ?? 'ci'] ?? ''
      // A block of the address would answer the next ones.
      return programOf(server, secret, `198.51.100.${exchanges.findIndex((one) => one.name === name)}`).call(
        method,
        path,
        body,
      )
    }
    const reply = await (await enter(server, name.startsWith('member') ? 2 : 1)).call(method, path, { body })
    const { data } = reply.body as { data?: { name: string; token?: string } }
    if (data?.token) secrets[data.name] = data.token
    return reply
  }

  async function recordedServer() {
    const made = await testServer()
    addMachine(made, 1)
    return made
  }

  const withoutSecrets = (body: unknown) =>
    JSON.parse(JSON.stringify(timeless(body)), (key, value) => (key === 'token' || key.endsWith('_at') ? '' : value))

  it.each(named(exchanges))('%s', async (name, one) => {
    const reply = await played(one)
    expect(reply.status).toBe(one.response.status)
    // What a server or a group looks like has tests of its own.
    if (/GET server|POST without/.test(name)) expect(reply.body).toMatchObject({ success: true })
    else expect(withoutSecrets(reply.body)).toEqual(withoutSecrets(one.response.body))
  })
})

describe('an API token', () => {
  it('is shown once, and nothing that is stored or listed leads back to it', async () => {
    const server = await testServer()
    const admin = await enter(server, 1)
    const { token } = await create(admin)
    expect(token).toMatch(/^nzp_[\w-]{43}$/)
    const stored = JSON.stringify(server.store.table({ name: 'api_token', columns: [] }).all())
    expect((await admin.get('api-tokens')).text + stored).not.toContain(token)
  })

  it('shows when and from where it was last used, after a restart too', async () => {
    const server = await testServer()
    const admin = await enter(server, 1)
    const { token } = await create(admin)
    expect((await listOf(admin))[0]).not.toHaveProperty('last_used_at')
    server.clock.now += 60_000
    await programOf(server, token, '203.0.113.7').get('server')
    const used = { last_used_at: '2026-11-21T00:01:00Z', last_used_ip: '203.0.113.7' }
    expect(await listOf(admin)).toMatchObject([used])
    await server.app.close()
    const later = await testServer({ store: server.store })
    expect(await listOf(await enter(later, 1))).toMatchObject([used])
  })

  it('expires when its days are over', async () => {
    const server = await testServer()
    const { token } = await create(await enter(server, 1), { expires_in_days: 2 })
    const program = programOf(server, token)
    server.clock.now += 2 * 86_400_000 - 1000
    expect((await program.get('server')).status).toBe(200)
    server.clock.now += 1000
    const reply = await program.get('server')
    expect([reply.status, reply.body]).toEqual([401, { error: 'ApiErrorUnauthorized: api token expired' }])
  })

  it('is no longer valid when its owner is deleted', async () => {
    const server = await testServer()
    const program = programWith(server, { user_id: 2, scopes: ['nezha:inventory:read'] })
    expect((await program.get('server')).status).toBe(200)
    await (await enter(server, 1)).call('POST', 'batch-delete/user', { body: [2] })
    expect((await program.get('server')).body).toEqual(unknown)
    expect(server.store.table({ name: 'api_token', columns: [] }).all()).toEqual([])
  })

  it('counts as a failure of its address when it is wrong, until a good one comes from there', async () => {
    const server = await testServer()
    const wrong = programOf(server, 'nzp_wrong', '203.0.113.9')
    expect((await wrong.get('server')).body).toEqual(unknown)
    expect((await wrong.get('server')).status).toBe(403)
    const rows = () => server.app.auth.waf.rows()
    expect(rows()).toMatchObject([{ ip: '203.0.113.9', block_identifier: -126, block_reason: 2, count: 1 }])
    server.clock.now += 4000
    await programWith(server, {}, '203.0.113.9').get('server')
    expect(rows()).toEqual([])
  })

  it('is looked at before a session, and not at all where everybody may call', async () => {
    const server = await testServer()
    const admin = await enter(server, 1)
    const headers = { authorization: 'Bearer nzp_wrong' }
    expect((await admin.call('GET', 'setting', { headers })).body).toMatchObject({ success: true })
    expect((await admin.call('GET', 'server', { headers })).body).toEqual(unknown)
  })

  it.each(['bearer', 'Token'])('has to be sent as Bearer, not as %s', async (scheme) => {
    const server = await testServer()
    const { secret } = programWith(server, {})
    const reply = await server.browser().get('server', { authorization: `${scheme} ${secret}` })
    expect(reply.body).toEqual({ error: 'ApiErrorUnauthorized' })
  })

  it('has no more rights than its owner', async () => {
    const server = await testServer()
    addMachine(server, 1)
    const own = addMachine(server, 2)
    const program = programWith(server, { user_id: 2 })
    expect((await program.get('server')).body).toMatchObject({ data: [{ id: own }] })
    expect((await program.get('user')).body).toEqual({ error: 'permission denied' })
  })

  it('is limited in number', async () => {
    const server = await testServer()
    for (let n = 0; n < 100; n++) programWith(server, {})
    const { reply } = await create(await enter(server, 1))
    expect(reply.body).toEqual({
      error: 'you have 100 API tokens already: delete those that you do not need first',
    })
  })

  it('is made only by somebody who has just proved who they are', async () => {
    const server = await testServer()
    const admin = await enter(server, 1)
    server.clock.now += 16 * 60_000
    expect(await create(admin)).toMatchObject({
      reply: { body: { error: expect.stringContaining('ApiErrorReauthentication') } },
    })
  })
})
