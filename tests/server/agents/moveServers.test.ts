import { describe, expect, it } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { createServerTransfers } from '../../../server/machines/serverTransfers.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { serverGroup } from '../../../src/schemas/serverGroup.ts'
import { TestAgent } from '../../support/agent/testAgent.ts'
import { testAgentServer } from '../../support/agent/testAgentServer.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn } from '../../support/server/testServer.ts'

const admin = { id: 1, username: 'admin', role: 0 } as const
const member = { id: 2, username: 'member', role: 1 } as const
const noon = Date.parse('2026-11-21T12:00:00Z')

/** A server of the administrator whose agent takes every secret unless a test says otherwise. */
function fixture(store = openStore(':memory:')) {
  const clock = { now: noon }
  const machines = createMachines({ store, now: () => clock.now })
  const host = createTestHost({ uuid: 'a', name: 'web-1' })
  const secrets: string[] = []
  let answer: () => Promise<string | undefined> = async () => undefined
  host.changeSecret = (secret) => {
    secrets.push(secret)
    return answer()
  }
  machines.add(host)
  host.report({ at: new Date(clock.now), host: { version: '2.3.3' } })
  const table = entityTable(store, servers)
  if (table.get(1)?.user_id === 0) table.update(1, { user_id: admin.id })
  const names: Record<number, string> = { 1: 'admin', 2: 'member' }
  const transfers = createServerTransfers({
    store,
    machines,
    usernameOf: (id) => names[id],
    roleOf: (id) => [admin, member].find((user) => user.id === id)?.role,
    now: () => clock.now,
  })
  return {
    clock,
    host,
    secrets,
    transfers,
    store,
    table,
    machines,
    ownerOf: (id = 1) => table.get(id)?.user_id,
    answers: (next: () => Promise<string | undefined>) => {
      answer = next
    },
    status: () => transfers.list(admin)[0]?.status,
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a server that is moved to another user', () => {
  it('belongs to them at once, and the move is done when its agent is back with a secret of its own', async () => {
    const { transfers, secrets, ownerOf, status } = fixture()
    expect(transfers.move([1], member.id, admin)).toEqual([{ server_id: 1, status: 'pending', transfer_id: 1 }])
    expect(ownerOf()).toBe(member.id)
    await settled()
    expect(secrets).toEqual([expect.stringMatching(/^[0-9A-Za-z]{32}$/)])
    expect(status()).toBe(0)
    expect(transfers.isPendingFrom(1, admin.id)).toBe(true)
    expect(transfers.acceptsSecret(1, 'x'.repeat(32))).toBe(false)
    expect(transfers.acceptsSecret(2, String(secrets[0]))).toBe(false)
    expect(transfers.acceptsSecret(1, String(secrets[0]))).toBe(true)
    expect(status()).toBe(1)
    expect(transfers.isPendingFrom(1, admin.id)).toBe(false)
  })

  it('goes back when its agent refuses the secret, and the list says why', async () => {
    const { transfers, secrets, ownerOf, answers } = fixture()
    answers(async () => 'ServerTransferApply rejected: plaintext')
    transfers.move([1], member.id, admin)
    await settled()
    expect(ownerOf()).toBe(admin.id)
    expect(transfers.list(admin)).toMatchObject([{ status: 2, last_error: 'ServerTransferApply rejected: plaintext' }])
    expect(JSON.stringify(transfers.list(admin))).not.toContain(secrets[0])
    expect(transfers.acceptsSecret(1, String(secrets[0]))).toBe(false)
    answers(async () => undefined)
    expect(transfers.retry(1, admin)).toMatchObject({ id: 2, status: 0, to_user_id: member.id })
    expect(ownerOf()).toBe(member.id)
  })

  it('is sent its secret again while nobody knows whether it has it, also after a restart, and goes back after a day', async () => {
    const { transfers, secrets, answers, clock, store, host } = fixture()
    answers(() => Promise.reject(new Error('the agent did not answer')))
    transfers.move([1], member.id, admin)
    await settled()
    transfers.tick()
    expect(secrets).toHaveLength(1)
    clock.now += 31_000
    host.report({ at: new Date(clock.now) })
    transfers.tick()
    expect(secrets).toEqual([secrets[0], secrets[0]])
    const again = fixture(store)
    again.transfers.tick()
    expect(again.secrets).toEqual([secrets[0]])
    again.clock.now += 86_400_000
    again.transfers.tick()
    expect(again.ownerOf()).toBe(admin.id)
    expect(again.status()).toBe(3)
  })

  it('goes back when the move is cancelled, and its agent may come with either secret', async () => {
    const { transfers, secrets, ownerOf, status } = fixture()
    transfers.move([1], member.id, admin)
    await settled()
    transfers.cancel(1, admin)
    expect([ownerOf(), status()]).toEqual([admin.id, 4])
    expect(transfers.acceptsSecret(1, String(secrets[0]))).toBe(true)
    expect([ownerOf(), status()]).toEqual([admin.id, 4])
  })

  it('is moved on: the secret of the move before no longer counts', async () => {
    const { transfers, secrets, table } = fixture()
    transfers.move([1], member.id, admin)
    await settled()
    transfers.acceptsSecret(1, String(secrets[0]))
    expect(table.get(1)?.user_id).toBe(member.id)
    transfers.move([1], admin.id, admin)
    await settled()
    expect(transfers.acceptsSecret(1, String(secrets[1]))).toBe(true)
    expect(transfers.acceptsSecret(1, String(secrets[0]))).toBe(false)
  })

  it('leaves the groups of members it no longer belongs to, and is in them again when it goes back', async () => {
    const { transfers, store, table } = fixture()
    table.update(1, { user_id: member.id })
    const groups = entityTable(store, serverGroup)
    for (const user_id of [admin.id, member.id]) groups.insert({ name: 'web', user_id, servers: [1, 5] })
    const members = () => groups.all().map(({ servers }) => servers)
    transfers.move([1], admin.id, admin)
    expect(members()).toEqual([[1, 5], [5]])
    transfers.cancel(1, admin)
    expect(members()).toEqual([
      [1, 5],
      [1, 5],
    ])
    table.update(1, { user_id: admin.id })
    groups.update(2, { servers: [] })
    transfers.move([1], member.id, admin)
    groups.update(2, { servers: [1] })
    transfers.cancel(2, admin)
    expect(members()).toEqual([[1, 5], []])
  })

  it('given to a team, has an agent with a secret that who gave it does not know, and no move in the list', async () => {
    const { transfers, secrets, table, ownerOf, status } = fixture()
    table.update(1, { user_id: -3, made_by: member.id, team: 3 })
    transfers.tick()
    transfers.tick()
    await settled()
    expect(secrets).toHaveLength(1)
    expect(transfers.hasOwnSecret(1)).toBe(false)
    expect(transfers.acceptsSecret(1, String(secrets[0]))).toBe(true)
    expect(transfers.hasOwnSecret(1)).toBe(true)
    transfers.tick()
    expect(secrets).toHaveLength(1)
    expect([ownerOf(), status()]).toEqual([-3, undefined])
    // Taken back, it stays with its owner: that was no move that could be tried again.
    table.update(1, { user_id: member.id, made_by: 0, team: 0 })
    expect(() => transfers.retry(1, member)).toThrow('database error')
    expect(() => transfers.cancel(1, admin)).toThrow('permission denied')
    expect(ownerOf()).toBe(member.id)
  })

  it('stays with its team when its agent takes no secret, which is offered again later', async () => {
    const { transfers, secrets, table, ownerOf, answers, clock, host } = fixture()
    table.update(1, { user_id: -3, made_by: member.id, team: 3 })
    answers(async () => 'ServerTransferApply rejected: plaintext')
    transfers.tick()
    await settled()
    transfers.tick()
    expect([ownerOf(), secrets.length]).toEqual([-3, 1])
    clock.now += 3_600_000
    host.report({ at: new Date(clock.now), host: { version: '2.3.3' } })
    transfers.tick()
    expect([ownerOf(), secrets.length]).toEqual([-3, 2])
  })

  it('needs no secret when it has no agent, as the machine of this server', () => {
    const { transfers, host, ownerOf, status } = fixture()
    host.changeSecret = undefined
    expect(transfers.move([1], member.id, admin)).toMatchObject([{ status: 'pending' }])
    expect([ownerOf(), status()]).toEqual([member.id, 1])
  })

  it('is refused server by server, with the reason', () => {
    const { transfers, host, clock, table } = fixture()
    expect(transfers.move([1], admin.id, admin)).toEqual([{ server_id: 1, status: 'same_owner' }])
    expect(transfers.move([9], member.id, admin)).toEqual([{ server_id: 9, status: 'server_not_found' }])
    expect(transfers.move([1], member.id, member)).toEqual([{ server_id: 1, status: 'permission_denied' }])
    host.report({ at: new Date(clock.now), host: { version: '1.14.4' } })
    expect(transfers.move([1], member.id, admin)).toEqual([{ server_id: 1, status: 'agent_too_old' }])
    expect(table.get(1)?.user_id).toBe(admin.id)
    host.report({ at: new Date(clock.now), host: { version: '2.3.3' } })
    transfers.move([1], member.id, admin)
    expect(transfers.move([1], admin.id, admin)).toEqual([{ server_id: 1, status: 'already_transferring' }])
  })

  it('is refused as a whole for users who do not exist, and for members who would give servers away', () => {
    const { transfers } = fixture()
    expect(() => transfers.move([1], 0, admin)).toThrow('user id is required')
    expect(() => transfers.move([1], 7, admin)).toThrow('user id 7 does not exist')
    expect(() => transfers.move([1], admin.id, member)).toThrow('permission denied')
    expect(() => transfers.cancel(1, member)).toThrow('permission denied')
    expect(() => transfers.retry(1, admin)).toThrow('database error')
  })
})

describe('an agent whose server is moved', () => {
  it('refuses the secret over a plain connection: its server goes back, and it stays connected', async () => {
    const server = await testAgentServer()
    const agent = await server.agent()
    const someone = await server.admin()
    const id = server.rowOf(agent)?.id
    const { body } = await someone.call('POST', 'batch-move/server', { body: { ids: [id], to_user: 2 } })
    expect(body).toMatchObject({ data: [{ server_id: id, status: 'pending' }] })
    await expect
      .poll(async () => (await someone.get('transfer')).body)
      .toMatchObject({
        data: [{ status: 2, last_error: expect.stringContaining('cannot be delivered over plaintext') }],
      })
    expect(server.rowOf(agent)?.user_id).toBe(1)
    expect(server.isConnected(agent)).toBe(true)
  })

  it('connects with its new secret only for its own server, and with the old owner’s only until then', async () => {
    const server = await testAgentServer()
    const agent = await server.agent()
    const id = server.rowOf(agent)?.id as number
    await agent.stop()
    await expect.poll(() => server.isConnected(agent)).toBe(false)
    server.app.serverTransfers.move([id], 2, admin)
    const { secret } = server.store
      .table<{ id: number; secret: string }>({ name: 'server_transfer', columns: [{ name: 'secret', type: 'TEXT' }] })
      .all()[0] as { secret: string }
    const connectAs = async (uuid: string, agentSecret: string) => {
      const next = new TestAgent({ server: `127.0.0.1:${server.port}`, secret: agentSecret, uuid, timeScale: 0.05 })
      next.start()
      await expect.poll(() => next.receipts > 0 || next.lastStatus !== undefined).toBe(true)
      const status = next.receipts > 0 ? 'connected' : next.lastStatus?.details
      await next.stop()
      return status
    }
    const refused = 'client UUID does not belong to the agent secret owner'
    expect(await connectAs(agent.uuid, server.secretOf(1))).toBe('connected')
    expect(await connectAs(agent.uuid, secret)).toBe('connected')
    expect(server.app.serverTransfers.list(admin)).toMatchObject([{ status: 1 }])
    expect(await connectAs(agent.uuid, server.secretOf(1))).toBe(refused)
    expect(await connectAs('12345678-1234-4234-8234-123456789abc', secret)).toBe('客户端认证失败')
  })

  it('goes on after its server was given to a team, also when who gave it is deleted, and nobody else has its secret', async () => {
    const server = await testAgentServer()
    const { auth, serverTransfers } = server.app
    const team = auth.teams.create({ name: 'ops', users: [2], servers: [] })
    const agent = await server.agent({ owner: 2 })
    const id = server.rowOf(agent)?.id as number
    await agent.stop()
    await expect.poll(() => server.isConnected(agent)).toBe(false)
    entityTable(server.store, servers).update(id, { user_id: -team, made_by: 2, team })
    const memberSecret = server.secretOf(2)
    const connectAs = async (secret: string, uuid = agent.uuid) => {
      const next = new TestAgent({ server: `127.0.0.1:${server.port}`, secret, uuid, timeScale: 0.05 })
      next.start()
      await expect.poll(() => next.receipts > 0 || next.lastStatus !== undefined).toBe(true)
      const status = next.receipts > 0 ? 'connected' : next.lastStatus?.details
      await next.stop()
      return status
    }
    expect(await connectAs(memberSecret)).toBe('connected')
    const owner = await signedIn(server)
    await owner.call('POST', 'batch-delete/user', { body: [2] })
    expect(auth.users.get(2)).toBeUndefined()
    expect(await connectAs(memberSecret)).toBe('connected')
    // Not for another machine.
    expect(await connectAs(memberSecret, '12345678-1234-4234-8234-123456789abc')).toBe('客户端认证失败')
    expect(serverTransfers.hasOwnSecret(id)).toBe(false)
  })

  it('that is installed again with the secret of its new owner is moved', async () => {
    const server = await testAgentServer()
    const agent = await server.agent()
    await agent.stop()
    await expect.poll(() => server.isConnected(agent)).toBe(false)
    server.app.serverTransfers.move([server.rowOf(agent)?.id as number], 2, admin)
    await server.agent({ uuid: agent.uuid, owner: 2 })
    expect(server.app.serverTransfers.list(admin)).toMatchObject([{ status: 1 }])
    expect(server.rowOf(agent)?.user_id).toBe(2)
  })
})
