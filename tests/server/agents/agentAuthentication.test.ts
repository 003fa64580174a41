import { describe, expect, it, vi } from 'vitest'
import { type AgentServer, startAgentServer, testUuid } from '../../support/agent/agentServer.ts'
import { signedIn } from '../../support/server/testServer.ts'

const unauthenticated = { code: 16, details: '客户端认证失败' }

/** What an agent gets for a host report with these names. */
const statusOf = ({ calls }: AgentServer, metadata: Record<string, string>) =>
  calls(metadata)
    .unary('ReportSystemInfo2', {})
    .then(
      () => 'accepted',
      ({ code, details }: { code: number; details: string }) => ({ code, details }),
    )

const offences = async (server: AgentServer, address = '198.51.100.9') => {
  const admin = await signedIn(server, 'admin', address)
  const { body } = await admin.call('GET', 'waf?offset=0&limit=100')
  return (body as { data: { value?: object[] } }).data.value ?? []
}

describe('an agent is refused', () => {
  it.each([
    ['without a secret', { 'client-uuid': testUuid }, unauthenticated, 0],
    ['with an empty secret', { 'client-secret': ' ', 'client-uuid': testUuid }, unauthenticated, 0],
    ['with a wrong secret', { 'client-secret': 'wrong', 'client-uuid': testUuid }, unauthenticated, 1],
    [
      'with a wrong secret in the newer name and a right one in the older',
      { 'client-secret': 'wrong', client_secret: 'right', 'client-uuid': testUuid },
      unauthenticated,
      1,
    ],
    ['without a uuid', { 'client-secret': 'right' }, { code: 16, details: '客户端 UUID 不合法' }, 1],
    [
      'with a text as uuid',
      { client_secret: 'right', client_uuid: 'no' },
      { code: 16, details: '客户端 UUID 不合法' },
      1,
    ],
  ])('%s', async (_title, given, status, count) => {
    const server = await startAgentServer()
    const metadata = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value === 'right' ? server.secretOf(1) : value]),
    )
    expect(await statusOf(server, metadata)).toEqual(status)
    expect(await offences(server)).toMatchObject(count ? [{ ip: '127.0.0.1', count, block_identifier: -127 }] : [])
    expect(await server.rows()).toEqual([])
  })

  it('with the secret of somebody else than the owner of its server, without an offence', async () => {
    const server = await startAgentServer()
    await server.calls().unary('ReportSystemInfo2', {})
    expect(await statusOf(server, { 'client-secret': server.secretOf(2), 'client-uuid': testUuid })).toEqual({
      code: 16,
      details: 'client UUID does not belong to the agent secret owner',
    })
    expect(await offences(server)).toEqual([])
  })

  it('with a wrong secret soon after another at its address; good ones go on there, and forgive them', async () => {
    const server = await startAgentServer()
    const good = { client_secret: server.secretOf(1), client_uuid: testUuid }
    const wrong = { ...good, client_secret: 'wrong' }
    await statusOf(server, wrong)
    expect(await statusOf(server, wrong)).toEqual({ code: 2, details: 'you were blocked by nezha WAF' })
    expect(await statusOf(server, good)).toBe('accepted')
    expect(await offences(server)).toEqual([])
  })

  it('with the right secret too, when an administrator has blocked its address', async () => {
    const server = await startAgentServer()
    server.app.auth.waf.block('127.0.0.1')
    const good = { client_secret: server.secretOf(1), client_uuid: testUuid }
    expect(await statusOf(server, good)).toEqual({ code: 2, details: 'you were blocked by nezha WAF' })
  })

  it('by the header of the settings when it is missing or holds no address', async () => {
    const server = await startAgentServer({ site: { agent_real_ip_header: 'X-Agent-IP' } })
    const good = { client_secret: server.secretOf(1), client_uuid: testUuid }
    expect(await statusOf(server, good)).toEqual({ code: 2, details: 'real ip header not found' })
    expect(await statusOf(server, { ...good, 'x-agent-ip': 'banana' })).toEqual({
      code: 2,
      details: 'ParseAddr("banana"): unable to parse IP',
    })
    expect(await statusOf(server, { ...good, 'x-agent-ip': '10.0.0.1, 203.0.113.9' })).toBe('accepted')
    await statusOf(server, { client_secret: 'wrong', client_uuid: testUuid, 'x-agent-ip': '203.0.113.9' })
    expect(await offences(server)).toMatchObject([{ ip: '203.0.113.9' }])
  })
})

it('one wrong secret behind a proxy whose header is not read blocks nobody', async () => {
  const server = await startAgentServer()
  const good = { client_secret: server.secretOf(1), client_uuid: testUuid, 'x-real-ip': '203.0.113.9' }
  await statusOf(server, { ...good, client_secret: 'wrong' })
  expect(await statusOf(server, good)).toBe('accepted')
})

it('an agent of a member belongs to the member, and the number of servers is limited', async () => {
  const server = await startAgentServer({ site: { records_per_member: 1 } })
  const secret = server.secretOf(2)
  expect(await statusOf(server, { client_secret: secret, client_uuid: testUuid })).toBe('accepted')
  expect(await server.rows()).toMatchObject([{ uuid: testUuid, owner: { id: 2, username: 'member' } }])
  expect(await statusOf(server, { client_secret: secret, client_uuid: testUuid.replace('1', '2') })).toMatchObject({
    code: 8,
    details: expect.stringContaining('at most 1'),
  })
  expect(await statusOf(server, { client_secret: secret, client_uuid: testUuid })).toBe('accepted')
})

it('calls of an unknown method get "unimplemented", and other requests of HTTP/2 an answer', async () => {
  const server = await startAgentServer()
  const { Client, ChannelCredentials } = await import('@grpc/grpc-js')
  const client = new Client(`127.0.0.1:${server.port}`, ChannelCredentials.createInsecure())
  const same = (bytes: Buffer) => bytes
  const error = await new Promise((resolve) =>
    client.makeUnaryRequest('/proto.NezhaService/Other', same, same, Buffer.alloc(0), resolve),
  )
  client.close()
  expect(error).toMatchObject({ code: 12, details: 'unknown method Other for service proto.NezhaService' })
})

describe('a renewed secret', () => {
  it('disconnects the agents with the old one, which are listed before, and is no attack', async () => {
    const server = await startAgentServer()
    const old = { client_secret: server.secretOf(1), client_uuid: testUuid }
    const states = server.calls(old).stream('ReportSystemState')
    const reported = new Promise((resolve) => states.onMessage(resolve))
    states.send({})
    await reported
    const admin = await signedIn(server)
    expect((await admin.call('GET', 'wheelhouse/agents/own')).body).toMatchObject({
      data: [{ server_id: 1, name: expect.any(String), online: true }],
    })
    const { body } = await admin.call('POST', 'profile/agent-secret')
    const { agent_secret } = (body as { data: { agent_secret: string } }).data
    expect(agent_secret).toMatch(/^[\w-]{32}$/)
    expect(await states.status).toMatchObject({ code: 16 })
    expect(await statusOf(server, old)).toEqual(unauthenticated)
    expect(await offences(server)).toEqual([])
    expect(await statusOf(server, { ...old, client_secret: agent_secret })).toBe('accepted')
    expect((await admin.call('GET', 'profile')).body).toMatchObject({ data: { agent_secret } })
  })
})

describe('a deleted server', () => {
  it('is turned away until somebody lets it in again, which only its owner and administrators may', async () => {
    const server = await startAgentServer()
    const mine = { client_secret: server.secretOf(2), client_uuid: testUuid }
    const states = server.calls(mine).stream('ReportSystemState')
    const reported = new Promise((resolve) => states.onMessage(resolve))
    states.send({})
    await reported
    const admin = await signedIn(server)
    await admin.call('PATCH', 'server/1', { body: { name: 'web-1' } })
    await admin.call('POST', 'batch-delete/server', { body: [1] })
    expect(await states.status).toMatchObject({ code: 7, details: 'the server of this agent was deleted' })
    expect(await statusOf(server, mine)).toMatchObject({ code: 7, details: expect.stringContaining('let in again') })
    expect(await server.rows()).toEqual([])

    const member = await signedIn(server, 'member')
    const entry = { uuid: testUuid, name: 'web-1', address: '127.0.0.1', called_at: expect.any(String) }
    for (const browser of [admin, member])
      expect((await browser.call('GET', 'wheelhouse/agents/turned-away')).body).toMatchObject({ data: [entry] })

    await member.call('POST', 'wheelhouse/agents/admit', { body: [testUuid, 'other'] })
    expect(await statusOf(server, mine)).toBe('accepted')
    expect(await server.rows()).toMatchObject([{ id: 2, uuid: testUuid, owner: { id: 2 } }])
    expect((await admin.call('GET', 'wheelhouse/agents/turned-away')).body).not.toHaveProperty('data.0')
  })

  it('of an administrator is neither shown to members nor let in by them', async () => {
    const server = await startAgentServer()
    await server.calls().unary('ReportSystemInfo2', {})
    const admin = await signedIn(server)
    await admin.call('POST', 'batch-delete/server', { body: [1] })
    const member = await signedIn(server, 'member')
    expect((await member.call('GET', 'wheelhouse/agents/turned-away')).body).not.toHaveProperty('data.0')
    await member.call('POST', 'wheelhouse/agents/admit', { body: [testUuid] })
    await vi.waitFor(async () => expect(await server.rows()).toEqual([]))
    await expect(server.calls().unary('ReportSystemInfo2', {})).rejects.toMatchObject({ code: 7 })
  })
})
