import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import type { Rpc } from '../../support/agent/agentMessages.ts'
import { type AgentServer, offline, startAgentServer, testUuid } from '../../support/agent/agentServer.ts'
import { signedIn } from '../../support/server/testServer.ts'

/** What an agent gets for a host report with these names; `right` stands for the secret of `admin`. */
async function statusOf(server: AgentServer, names: Record<string, string>): Promise<string> {
  const metadata = Object.fromEntries(
    Object.entries(names).map(([name, value]) => [name, value.replace('right', server.secretOf(1))]),
  )
  return server
    .calls(metadata)
    .unary('ReportSystemInfo2', {})
    .then(
      () => 'accepted',
      ({ code, details }: { code: number; details: string }) => `${code} ${details}`,
    )
}

async function offences(server: AgentServer): Promise<object[]> {
  const admin = await signedIn(server, 'admin', '198.51.100.9')
  const { body } = await admin.call('GET', 'waf?offset=0&limit=100')
  return (body as { data: { value?: object[] } }).data.value ?? []
}

const badUuid = '16 客户端 UUID 不合法'
const badSecret = '16 客户端认证失败'
const upperUuid = 'ABCDEF00-1234-4234-8234-123456789ABC'

describe('the names that an agent sends (docs/contract/AGENT.md#2-authentication-and-first-contact)', () => {
  it.each([
    ['both names', { ...both('right'), ...older('right') }, 'accepted', 0],
    ['only the older names, as before 2.2.0', older('right'), 'accepted', 0],
    ['spaces around the values', { 'client-secret': ' right ', 'client-uuid': ` ${testUuid} ` }, 'accepted', 0],
    ['a UUID in capitals', { 'client-secret': 'right', 'client-uuid': upperUuid }, 'accepted', 0],
    ['an empty newer secret beside a right older one', { ...older('right'), 'client-secret': '' }, badSecret, 0],
    ['an empty newer UUID beside a right older one', { ...older('right'), 'client-uuid': '' }, badUuid, 1],
    ['no secret and no UUID', {}, badSecret, 0],
    ['a UUID without hyphens', { ...both('right'), 'client-uuid': testUuid.replaceAll('-', '') }, badUuid, 1],
    ['a UUID in braces', { ...both('right'), 'client-uuid': `{${testUuid}}` }, badUuid, 1],
    ['a UUID that is too long', { ...both('right'), 'client-uuid': `${testUuid}0` }, badUuid, 1],
    ['a UUID with other letters', { ...both('right'), 'client-uuid': testUuid.replace('a', 'g') }, badUuid, 1],
    ['a secret that is longer than a right one', both('right0'), badSecret, 1],
  ])('%s', async (_title, names, status, offenceCount) => {
    const server = await startAgentServer()
    expect(await statusOf(server, names)).toBe(status)
    expect(await server.rows()).toHaveLength(status === 'accepted' ? 1 : 0)
    expect(await offences(server)).toMatchObject(
      offenceCount ? [{ ip: '127.0.0.1', count: 1, block_reason: 3, block_identifier: -127 }] : [],
    )
  })

  it('are compared by the letter: a UUID in small letters is another server', async () => {
    const server = await startAgentServer()
    for (const uuid of [upperUuid, upperUuid.toLowerCase(), upperUuid])
      expect(await statusOf(server, { ...both('right'), 'client-uuid': uuid })).toBe('accepted')
    expect((await server.rows()).map(({ uuid }) => uuid).sort()).toEqual([upperUuid, upperUuid.toLowerCase()])
  })

  it('do not open a server that belongs to nobody, which is no offence', async () => {
    const server = await startAgentServer()
    entityTable(server.store, servers).insert({ name: 'own', uuid: testUuid, user_id: 0 })
    const fresh = await startAgentServer({ store: server.store })
    expect(await statusOf(fresh, both('right'))).toBe('16 client UUID does not belong to the agent secret owner')
    expect(await offences(fresh)).toEqual([])
  })
})

function both(secret: string) {
  return { 'client-secret': secret, 'client-uuid': testUuid }
}

function older(secret: string) {
  return { client_secret: secret, client_uuid: testUuid }
}

it.each<Rpc>(['ReportSystemInfo', 'ReportSystemInfo2', 'ReportGeoIP', 'RequestTask', 'ReportSystemState', 'IOStream'])(
  '%s alone makes a row: two words as name, its user as owner, and nothing else',
  async (rpc) => {
    const server = await startAgentServer()
    const calls = server.calls(both(server.secretOf(2)))
    if (rpc === 'RequestTask' || rpc === 'ReportSystemState' || rpc === 'IOStream')
      calls.stream(rpc).onMessage(() => {})
    else await calls.unary(rpc, {})
    await expect.poll(() => server.rows()).toHaveLength(1)
    const [row] = await server.rows()
    expect(row).toMatchObject({
      name: expect.stringMatching(/^[a-z]+-[a-z]+$/),
      uuid: testUuid,
      owner: { username: 'member' },
      display_index: 0,
      last_active: offline,
      state: {},
    })
    // What is false, zero or empty is left out.
    for (const name of ['hide_for_guest', 'enable_ddns', 'ddns_profiles', 'note']) expect(row).not.toHaveProperty(name)
    expect(row?.host).not.toHaveProperty('platform')
  },
)

const peer = 'NZ::Use-Peer-IP'

it.each([
  ['the peer', peer, {}, '127.0.0.1', badSecret],
  ['the peer where nothing is set, which real servers do not block at all', '', {}, '127.0.0.1', badSecret],
  ['nobody when a proxy forwards and its header is not read', peer, { 'x-real-ip': '203.0.113.9' }, '', badSecret],
  ['the header', 'X-Agent-IP', { 'x-agent-ip': '203.0.113.9' }, '203.0.113.9', badSecret],
  ['the last in the header', 'X-Agent-IP', { 'x-agent-ip': '10.0.0.1, 203.0.113.9' }, '203.0.113.9', badSecret],
  ['the header in IPv6', 'X-Agent-IP', { 'x-agent-ip': '2001:db8::9' }, '2001:db8::', badSecret],
  ['nobody without the header', 'X-Agent-IP', {}, '', '2 real ip header not found'],
  [
    'nobody with another text in it',
    'X-Agent-IP',
    { 'x-agent-ip': 'banana' },
    '',
    '2 ParseAddr("banana"): unable to parse IP',
  ],
])('a wrong secret counts against %s', async (_title, agent_real_ip_header, names, address, status) => {
  const server = await startAgentServer({ site: { agent_real_ip_header } })
  expect(await statusOf(server, { ...both('wrong'), ...names })).toBe(status)
  expect(await offences(server)).toMatchObject(address ? [{ ip: expect.stringContaining(address) }] : [])
})

describe('wrong secrets', () => {
  it.each([
    [1, 3],
    [2, 16],
    [3, 81],
  ])(
    '%i of them block wrong secrets of the address for %i s; a good one goes on there, and forgives them',
    async (count, seconds) => {
      const server = await startAgentServer()
      for (let made = 1; made <= count; made++) {
        if (made > 1) server.clock.now += 20_000
        expect(await statusOf(server, both('wrong'))).toBe(badSecret)
      }
      expect(await offences(server)).toMatchObject([{ count }])
      server.clock.now += (seconds - 1) * 1000
      expect(await statusOf(server, both('wrong'))).toBe('2 you were blocked by nezha WAF')
      expect(await offences(server)).toMatchObject([{ count }])
      expect(await statusOf(server, both('right'))).toBe('accepted')
      expect(await offences(server)).toEqual([])
    },
  )

  it('cut no stream that is open at the address', async () => {
    const server = await startAgentServer()
    const states = server.calls().stream('ReportSystemState')
    let receipts = 0
    states.onMessage(() => receipts++)
    states.send({ cpu: 1 })
    await expect.poll(() => receipts).toBe(1)
    await statusOf(server, both('wrong'))
    expect(await statusOf(server, both('wrong'))).toBe('2 you were blocked by nezha WAF')
    states.send({ cpu: 2 })
    await expect.poll(() => receipts).toBe(2)
    expect(await server.rows()).toMatchObject([{ state: { cpu: 2 } }])
  })
})
