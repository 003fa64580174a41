import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { signIn } from '../../../server/auth/account/signIn.ts'
import { hashPassword } from '../../../server/auth/passwords/password.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { configurationEndpoints } from '../../../src/schemas/endpoints/configurationEndpoints.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { nezhaEndpoints } from '../../../src/schemas/endpoints/nezhaEndpoints.ts'
import { entities } from '../../../src/schemas/index.ts'
import type { Browser } from '../../support/console/browser.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { programWith } from '../../support/server/auth/apiToken.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { mcpServer } from '../../support/server/mcpServer.ts'
import { type DescribedRoute, describedRoutes } from '../../support/server/routes/describedRoutes.ts'
import { adminsServer, bodyFor, isEnd, pathFor } from '../../support/server/routes/everyCall.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { cheapPasswords, password, signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

const signedOut = { error: 'ApiErrorUnauthorized' }
const withoutToken = { error: 'ApiErrorUnauthorized: invalid api token' }

/** What needs nobody: a sign-in may come with the cookie of an ended session. */
const needsNobody = /^POST (login|wheelhouse\/(sign-in|invitations\/))/

let writes: DescribedRoute[]
beforeAll(async () => {
  const routes = await describedRoutes(await testServer())
  writes = routes
    .filter(({ method, name }) => method !== 'GET' && !needsNobody.test(name))
    .toSorted((one, other) => Number(isEnd(one)) - Number(isEnd(other)))
})

/** Sends a body in two halves; `meanwhile` happens when the first one is read. */
async function sendSlowly(
  { app }: TestServer,
  { method, path, headers }: { method: string; path: string; headers: Record<string, string> },
  body: unknown,
  meanwhile: () => unknown,
) {
  const text = JSON.stringify(body ?? {})
  async function* halves() {
    yield text.slice(0, 1)
    await meanwhile()
    yield text.slice(1)
  }
  const reply = await app.inject({
    method: method as 'POST',
    url: path,
    headers: { host: '127.0.0.1:8008', 'transfer-encoding': 'chunked', ...headers },
    payload: Readable.from(halves()),
  })
  return { status: reply.statusCode, body: reply.json() as unknown }
}

const headersOf = ({ cookies }: Browser) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  'x-csrf-token': cookies.get('nz-csrf') ?? '',
})

/** What the database holds, but for sessions and who changed what. */
function contentOf({ store }: TestServer): unknown {
  const path = join(temporaryFolder(), 'copy')
  store.backup(path)
  const copy = new DatabaseSync(path)
  const tables = copy.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  const names = tables.map(({ name }) => String(name)).filter((name) => !/^(session|change|sqlite_.*)$/.test(name))
  const content = names.map((name) => [name, copy.prepare(`SELECT * FROM "${name}"`).all()])
  copy.close()
  return content
}

describe('every call that changes something, whose body was on its way', () => {
  it('is refused when the session was ended from another browser, and changes nothing', async () => {
    const server = await adminsServer()
    const owner = await enter(server, 1)
    const before = contentOf(server)
    const wrong: unknown[] = []
    for (const route of writes) {
      const stolen = await enter(server, 1)
      const call = { method: route.method, path: pathFor(route), headers: headersOf(stolen) }
      const reply = await sendSlowly(server, call, bodyFor(route), () => owner.call('DELETE', 'wheelhouse/sessions'))
      if (JSON.stringify(reply.body) !== JSON.stringify(signedOut)) wrong.push([route.name, reply])
    }
    expect(writes.length).toBeGreaterThan(70)
    expect(wrong).toEqual([])
    expect(contentOf(server)).toEqual(before)
  })

  it('is refused when its API token was deleted, and changes nothing', async () => {
    const server = await adminsServer()
    const before = contentOf(server)
    const wrong: unknown[] = []
    for (const route of writes.filter(({ scopes }) => scopes)) {
      const { id, secret } = programWith(server, {})
      const call = { method: route.method, path: pathFor(route), headers: { authorization: `Bearer ${secret}` } }
      const reply = await sendSlowly(server, call, bodyFor(route), () => server.app.auth.apiTokens.remove(id))
      if (reply.status !== 401 || JSON.stringify(reply.body) !== JSON.stringify(withoutToken)) {
        wrong.push([route.name, reply])
      }
    }
    expect(wrong).toEqual([])
    expect(contentOf(server)).toEqual(before)
  })

  it('is refused when its account was deleted', async () => {
    const server = await adminsServer()
    const admin = await enter(server, 1)
    const wrong: unknown[] = []
    const form = { username: 'leaving', password, role: 0 }
    for (const route of writes.filter(({ scopes }) => scopes)) {
      const { data: id } = (await admin.call('POST', 'user', { body: form })).body as { data: number }
      const remove = () => admin.call('POST', 'batch-delete/user', { body: [id] })
      const leaving = await enter(server, id)
      const call = { method: route.method, path: pathFor(route), headers: headersOf(leaving) }
      const reply = await sendSlowly(server, call, bodyFor(route), remove)
      if (JSON.stringify(reply.body) !== JSON.stringify(signedOut)) wrong.push([route.name, reply])
    }
    expect(wrong).toEqual([])
  })

  it('is refused when it is for administrators and its account has become a member’s, and changes nothing', async () => {
    const server = await adminsServer()
    const users = usersIn(server.store)
    const before = contentOf(server)
    const wrong: unknown[] = []
    const called = writes.filter(({ name }) => forAdmins.has(name))
    for (const route of called) {
      users.update(1, { role: 0 })
      const demoted = await enter(server, 1)
      const call = { method: route.method, path: pathFor(route), headers: headersOf(demoted) }
      const { body } = await sendSlowly(server, call, bodyFor(route), () => users.update(1, { role: 1 }))
      if (JSON.stringify(body) !== '{"error":"permission denied"}') wrong.push([route.name, body])
    }
    users.update(1, { role: 0 })
    expect(called.length).toBeGreaterThan(10)
    expect(wrong).toEqual([])
    expect(contentOf(server)).toEqual(before)
  })
})

/** The calls that change something and are for administrators. */
const forAdmins = new Set([
  ...[...Object.values({ ...endpoints, ...configurationEndpoints }), ...Object.values(nezhaEndpoints)].flatMap(
    ({ method, path, access }) => (access === 'admin' ? [`${method} ${path.replace(':id', '{id}')}`] : []),
  ),
  ...Object.values(entities).flatMap(({ api, access }: Entity) => [
    ...(access.create === 'admin' ? [`POST ${api.path}`] : []),
    ...(access.update === 'admin' ? [`PATCH ${api.path}/{id}`] : []),
    ...(access.delete === 'admin' ? [`POST batch-delete/${api.path}`] : []),
  ]),
])

describe('over a real connection', () => {
  it('a session that is ended while it makes an administrator makes none', async () => {
    const server = await testServer()
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => server.app.close())
    const [owner, stolen] = [await signedIn(server), await signedIn(server)]
    const body = JSON.stringify({ username: 'eve', password: 'a long password', role: 0 })
    const { port } = server.app.server.address() as AddressInfo
    const headers = { ...headersOf(stolen), host: `127.0.0.1:${port}`, 'content-length': String(body.length) }
    const call = request({ port, method: 'POST', path: '/api/v1/user', headers })
    const admitted = vi.spyOn(server.app.auth.sessions, 'check')
    call.write(body.slice(0, 10))
    await vi.waitFor(() => expect(admitted).toHaveBeenCalled())
    expect(await admitted.mock.results[0]?.value).toBeDefined()
    expect((await owner.call('DELETE', 'wheelhouse/sessions')).body).toEqual({ success: true })
    call.end(body.slice(10))
    const [reply] = await once(call, 'response')
    expect(await json(reply)).toEqual(signedOut)
    expect(usersIn(server.store).all()).toHaveLength(2)
  })
})

describe('a call that waits after its body has come', () => {
  /** Holds what is hashed under this key. @returns lets it go */
  function hold({ app }: TestServer, key: string) {
    const gate = Promise.withResolvers<void>()
    void app.auth.hashQueue.run(key, () => gate.promise)
    return gate.resolve
  }

  it.each([
    ['user', 'user 1', { username: 'eve', password: 'a long password', role: 0 }],
    [
      'profile',
      '127.0.0.1',
      { original_password: password, new_username: 'eve', new_password: 'another battery', reject_password: false },
    ],
  ])(
    'for a password to be hashed, at POST %s, is refused when its session was ended meanwhile',
    async (path, key, body) => {
      const server = await testServer()
      const [owner, stolen] = [await signedIn(server), await signedIn(server)]
      const before = contentOf(server)
      const release = hold(server, key)
      const asked = vi.spyOn(server.app.auth.hashQueue, 'run')
      const reply = stolen.call('POST', path, { body })
      await vi.waitFor(() => expect(asked.mock.calls.map(([asking]) => asking)).toContain(key))
      await owner.call('DELETE', 'wheelhouse/sessions')
      release()
      expect((await reply).body).toEqual(signedOut)
      expect(contentOf(server)).toEqual(before)
    },
  )

  it('for the test message of a notifier is refused when its session was ended meanwhile', async () => {
    const server = await testServer()
    const [owner, stolen] = [await signedIn(server), await signedIn(server)]
    const before = contentOf(server)
    const { origin } = await receiver((reply) => {
      void owner.call('DELETE', 'wheelhouse/sessions').then(() => reply.end())
    })
    const body = { name: 'eve', url: origin, request_method: 1, request_type: 1 }
    expect((await stolen.call('POST', 'notification', { body })).body).toEqual(signedOut)
    expect(contentOf(server)).toEqual(before)
  })
})

describe('a sign-in whose password is changed while it is checked', () => {
  it.each([
    ['checked', cheapPasswords],
    ['hashed anew', { ...cheapPasswords, passes: 2 }],
  ])('is refused when it is %s, and does not bring the old password back', async (_, cost) => {
    const { app, store } = await testServer({ passwordCost: cost })
    const changed = await hashPassword('another battery', cost)
    const find = vi.spyOn(app.auth.users, 'find').mockImplementationOnce((where) => {
      find.mockRestore()
      const found = app.auth.users.find(where)
      app.auth.users.update(1, { password: changed })
      return found
    })
    const outcome = await signIn(app.auth, { username: 'admin', password }, { address: '127.0.0.1' })
    expect(outcome).toEqual({ result: 'refused', userId: 1 })
    expect(usersIn(store).get(1)?.password).toBe(changed)
  })
})

describe('a tool of a program', () => {
  it('whose token is deleted while the call is on its way is not called', async () => {
    const server = await mcpServer()
    const { id, secret } = programWith(server, {})
    const call = { method: 'POST', path: '/mcp', headers: { authorization: `Bearer ${secret}` } }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'meta.whoami', arguments: {} } }
    expect((await sendSlowly(server, call, message, () => {})).body).toHaveProperty('result')
    const reply = await sendSlowly(server, call, message, () => server.app.auth.apiTokens.remove(id))
    expect(reply).toEqual({ status: 401, body: withoutToken })
  })
})
