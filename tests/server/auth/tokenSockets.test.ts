import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createMachines } from '../../../server/machines/machines.ts'
import { type Program, programWith } from '../../support/server/auth/apiToken.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { type TestServer, testServer } from '../../support/server/testServer.ts'

const days = (server: TestServer, count: number) => new Date(server.clock.now + count * 86_400_000).toISOString()

/** A server that listens, with the machines `allowed` (1) and `other` (2), which are online. */
async function fixture() {
  const server = await testServer({ machines: createMachines, tickMs: 50 })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.app.close())
  for (const name of ['allowed', 'other']) {
    const host = createTestHost({ uuid: name, name })
    // A shell that is on its way.
    host.openShell = () => new Promise(() => {})
    server.app.machines.add(host)
    host.report({ at: new Date(server.clock.now), host: { version: '2.3.3' } })
  }
  return server
}

/** A socket with a token. `opened` is its first frame, or how it was refused. */
function watch(server: TestServer, path: string, { secret }: Pick<Program, 'secret'>) {
  const { port } = server.app.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${secret}` }
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/${path}`, { headers })
  onTestFinished(() => socket.terminate())
  socket.on('error', () => {})
  const frame = new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))))
  const refused = new Promise<string>((resolve) => {
    socket.once('unexpected-response', (_request, response) => {
      let text = `${response.statusCode} `
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve(text))
    })
  })
  const attached = new Promise<void>((resolve) => socket.once('open', () => resolve()))
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  return { opened: Promise.race([frame, refused]), refused, attached, ended }
}

const namesIn = (frame: string) =>
  (JSON.parse(frame) as { servers: { name: string }[] }).servers.map(({ name }) => name)

describe('the live stream of a token', () => {
  it('has the servers that the token may see, and no others', async () => {
    const server = await fixture()
    const scopes = ['nezha:inventory:read']
    const limited = watch(server, 'server', programWith(server, { scopes, server_ids: [1] }))
    const unlimited = watch(server, 'server', programWith(server, { scopes }))
    expect(namesIn(await unlimited.opened)).toEqual(['allowed', 'other'])
    expect(namesIn(await limited.opened)).toEqual(['allowed'])
  })

  it('needs the scope of the list, also where visitors without an account see it', async () => {
    const server = await fixture()
    const scopes = ['nezha:server:*']
    const { opened } = watch(server, 'server', programWith(server, { scopes }))
    expect(await opened).toBe('403 {"error":"ApiErrorForbidden: api token lacks scope nezha:inventory:read"}')
  })

  it('ends when the token is deleted or expires; others go on', async () => {
    const server = await fixture()
    const [deleted, expiring, other] = [{}, { expires_at: days(server, 1) }, {}].map((given) => {
      const program = programWith(server, { scopes: ['nezha:inventory:read'], ...given })
      return { program, socket: watch(server, 'server', program) }
    })
    for (const one of [deleted, expiring, other]) await one?.socket.opened
    server.app.auth.apiTokens.remove(deleted?.program.id ?? 0)
    await deleted?.socket.ended
    server.clock.now += 86_400_000
    await expiring?.socket.ended
    const later = watch(server, 'server', other?.program as Program)
    expect(namesIn(await later.opened)).toEqual(['allowed', 'other'])
  })
})

describe('a session on a machine', () => {
  it.each([
    ['terminal', ['nezha:server:exec'], 'nezha:server:exec'],
    ['file', ['nezha:server:read', 'nezha:server:write', 'nezha:server:delete'], 'nezha:server:read'],
  ])(
    'of the kind %s is opened and attached with its scopes, on servers of the token only',
    async (kind, scopes, first) => {
      const server = await fixture()
      const program = programWith(server, { scopes, server_ids: [1] })
      const open = (id: number, by = program) =>
        kind === 'file' ? by.call('POST', `file?id=${id}`) : by.call('POST', 'terminal', { server_id: id })
      expect((await open(2)).body).toEqual({ error: 'permission denied' })
      const { session_id: id } = ((await open(1)).body as { data: { session_id: string } }).data
      const foreign = watch(server, `${kind}/${id}`, programWith(server, { scopes, server_ids: [2] }))
      expect(await foreign.refused).toBe('200 {"error":"permission denied"}')
      const reading = watch(server, `${kind}/${id}`, programWith(server, { scopes: ['nezha:inventory:*'] }))
      expect(await reading.refused).toBe(`403 {"error":"ApiErrorForbidden: api token lacks scope ${first}"}`)
      const own = watch(server, `${kind}/${id}`, program)
      await own.attached
      server.app.auth.apiTokens.remove(program.id)
      await own.ended
      const { rows } = await server.app.audit.read(0, 50)
      const token = `${program.id} program`
      expect(rows.filter(({ action }) => action?.startsWith(`${kind}.`)).map(({ detail }) => detail)).toMatchObject([
        { outcome: 'no longer allowed', token },
        { token },
        { session: id.slice(0, 8) },
      ])
    },
  )
})
