import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createSessions } from '../../../server/auth/sessions/sessions.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import type { Transfer } from '../../../src/schemas/machines/transfer.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** A server of the administrator (id 1), whose agent takes its new secret when the test says so. */
async function fixture() {
  const server = await testServer({ machines: createMachines })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.app.close())
  const host = createTestHost({ uuid: 'a', name: 'web-1' })
  const answer = Promise.withResolvers<string | undefined>()
  const secrets: string[] = []
  host.changeSecret = (secret) => {
    secrets.push(secret)
    return answer.promise
  }
  server.app.machines.add(host)
  host.report({ at: new Date(server.clock.now), host: { version: '2.3.3' } })
  entityTable(server.store, servers).update(1, { user_id: 1 })
  const admin = await signedIn(server)

  async function watch(username?: string) {
    const { port } = server.app.server.address() as AddressInfo
    const cookies = username ? (await signedIn(server, username)).cookies : new Map()
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/transfer`, { headers: { cookie } })
    onTestFinished(() => socket.terminate())
    // Refused sockets have one.
    socket.on('error', () => {})
    const frames: Transfer[] = []
    socket.on('message', (frame) => frames.push(JSON.parse(String(frame))))
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    return { socket, frames, closed }
  }

  /** A socket that is open. */
  async function open(username: string) {
    const watching = await watch(username)
    await new Promise((resolve, reject) => watching.socket.once('open', resolve).once('error', reject))
    return watching
  }

  const move = (toUser: number, ids = [1]) =>
    admin.call('POST', 'batch-move/server', { body: { ids, to_user: toUser } })
  return { ...server, admin, answer, secrets, watch, open, move }
}

describe('the socket of transfers', () => {
  it('says nothing on connect, then each change as the list has it', async () => {
    const { admin, open, move, answer, secrets, app } = await fixture()
    const { frames } = await open('admin')
    await move(2)
    await vi.waitFor(() => expect(frames).toHaveLength(1))
    expect(frames[0]).toMatchObject({ id: 1, server_id: 1, from_user_id: 1, to_user_id: 2, status: 0 })
    answer.resolve(undefined)
    await vi.waitFor(() => expect(frames.at(-1)).toHaveProperty('acked_at'))
    app.serverTransfers.acceptsSecret(1, String(secrets[0]))
    await vi.waitFor(() => expect(frames.at(-1)).toMatchObject({ id: 1, status: 1 }))
    const { data } = (await admin.get('transfer')).body as { data: Transfer[] }
    expect(data[0]).toEqual(frames.at(-1))
    expect(JSON.stringify(frames)).not.toContain(secrets[0])
  })

  it('reports a server that goes back, with the reason of its agent', async () => {
    const { open, move, answer } = await fixture()
    const { frames } = await open('admin')
    await move(2)
    answer.resolve('ServerTransferApply rejected: plaintext')
    await vi.waitFor(() =>
      expect(frames.at(-1)).toMatchObject({ status: 2, last_error: 'ServerTransferApply rejected: plaintext' }),
    )
  })

  it('sends members only transfers that they take part in', async () => {
    const { open, move, app, admin } = await fixture()
    const third = { username: 'third', password: 'correct horse', role: 1 }
    expect((await admin.call('POST', 'user', { body: third })).body).toMatchObject({ success: true })
    const [member, other] = [await open('member'), await open('third')]
    await move(3)
    await vi.waitFor(() => expect(other.frames).toHaveLength(1))
    app.serverTransfers.cancel(1, { id: 1, username: 'admin', role: 0 })
    await move(2)
    await vi.waitFor(() => expect(member.frames).toMatchObject([{ id: 2, to_user_id: 2 }]))
    expect(other.frames.map(({ id, status }) => [id, status])).toEqual([
      [1, 0],
      [1, 4],
    ])
  })

  it('is refused without a session, and ends with the session', async () => {
    const { watch, open, store, clock, app } = await fixture()
    const { socket } = await watch()
    const body = await new Promise<string>((resolve) => {
      socket.once('unexpected-response', (_request, response) => {
        response.once('data', (chunk) => resolve(String(chunk)))
      })
    })
    expect(body).toBe('{"error":"ApiErrorUnauthorized"}')
    const [admin, member] = [await open('admin'), await open('member')]
    createSessions(store, () => clock.now).revokeAll(1)
    app.serverTransfers.move([1], 2, { id: 1, username: 'admin', role: 0 })
    await admin.closed
    expect(admin.frames).toEqual([])
    await vi.waitFor(() => expect(member.frames).toHaveLength(1))
  })

  it('ends with the session although nothing is moved', async () => {
    const { open, app } = await fixture()
    const { socket } = await open('admin')
    app.auth.sessions.revokeAll(1)
    await vi.waitFor(() => expect(socket.readyState).toBe(socket.CLOSED))
  })

  it('ends when its client does not stop talking', async () => {
    const { open } = await fixture()
    const { socket, closed } = await open('admin')
    for (let word = 0; word <= 20; word++) socket.send('hello')
    await closed
  })
})

describe('the list of transfers', () => {
  it('can be asked for some ids, and has all where none of them is there', async () => {
    const { admin, move, app } = await fixture()
    await move(2)
    app.serverTransfers.cancel(1, { id: 1, username: 'admin', role: 0 })
    await move(2)
    const ids = async (query: string) =>
      ((await admin.get(`transfer${query}`)).body as { data: Transfer[] }).data.map(({ id }) => id)
    expect(await ids('')).toEqual([2, 1])
    expect(await ids('?id=1,9')).toEqual([1])
    expect(await ids('?id=9')).toEqual([2, 1])
  })
})
