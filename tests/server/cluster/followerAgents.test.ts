import { once } from 'node:events'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createStateWriter, StateReader } from '../../../server/agents/nodes/stateDelta.ts'
import { openLink } from '../../../server/cluster/nodeLinks.ts'
import type { HostState } from '../../../server/machines/hosts/host.ts'
import {
  cluster,
  followerKey,
  hostOf,
  type Leader,
  linksOf,
  watchPresence,
} from '../../support/agent/followerInFront.ts'
import type { TestAgent } from '../../support/agent/testAgent.ts'
import { testAgentServer } from '../../support/agent/testAgentServer.ts'
import { certificateFiles } from '../../support/server/certificates/certificateFiles.ts'
import { selfSigned } from '../../support/server/certificates/selfSigned.ts'

/** What somebody reads in a terminal who types a command. */
async function typeInto(leader: Leader, agent: TestAgent): Promise<string> {
  const shell = await hostOf(leader, agent)?.openShell({ rows: 24, cols: 80 })
  if (!shell) throw new Error('there is no shell')
  let text = ''
  shell.onData((bytes) => {
    text += Buffer.from(bytes)
  })
  shell.write(Buffer.from('echo $((40 + 2)) && exit\r'))
  await new Promise<void>((resolve) => shell.onExit(resolve))
  return text
}

/** A network that splits the first message of TLS, as it does those that are longer than a packet. @returns its address */
async function splitting(port: number): Promise<string> {
  const server = createServer((near) => {
    const far = connectTcp(port, '127.0.0.1')
    near.once('data', (first: Buffer) => {
      near.pause()
      far.setNoDelay(true)
      far.write(first.subarray(0, 100), () =>
        setTimeout(() => far.write(first.subarray(100), () => near.pipe(far)), 50),
      )
    })
    far.pipe(near)
    for (const socket of [near, far]) socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const options = { timeoutMs: 60_000, maxOutputBytes: 10_000 }

describe('an agent at a follower', () => {
  it.each(['2.3.3', '1.14.4', '1.9.7'] as const)('of version %s is a server as any other', async (version) => {
    const { leader, follower, atFollower } = await cluster()
    const agent = await leader.agent({ ...atFollower, version, addresses: {} })
    await expect.poll(() => agent.receipts).toBeGreaterThan(4)
    const row = { id: Number(leader.rowOf(agent)?.id) }
    await expect
      .poll(() => leader.app.machines.wireReport(row))
      .toMatchObject({
        host: { version },
        state: { cpu: expect.any(Number), uptime: expect.any(Number) },
        // It has found no address: it has that of its connection to the follower.
        geoip: { ip: { ipv4_addr: '127.0.0.1' } },
      })
    expect(await hostOf(leader, agent)?.run('echo $((40 + 2))', options)).toMatchObject({ output: '42\n' })
    expect(await typeInto(leader, agent)).toContain('42')
    const tunnel = await hostOf(leader, agent)?.connect(`127.0.0.1:${follower.port}`, AbortSignal.timeout(60_000))
    tunnel?.write('GET /livez HTTP/1.1\r\n\r\n')
    expect(String((await tunnel?.take(1).toArray())?.[0])).toContain('200 OK')
    expect(leader.app.connectedAgents()).toBe(1)
    await agent.stop()
    await expect.poll(() => leader.isConnected(agent)).toBe(false)
  })

  it('speaks TLS with it, and so do browsers with the leader behind', async () => {
    const { leader, follower, atFollower } = await cluster(certificateFiles())
    const network = await splitting(follower.port)
    const settings = { tls: true }
    const agent = await leader.agent({ ...atFollower, server: network, settings, ca: selfSigned.cert })
    expect(await typeInto(leader, agent)).toContain('42')
    const asked = request({
      host: '127.0.0.1',
      port: follower.port,
      path: '/api/v1/setting',
      ca: selfSigned.cert,
    }).end()
    const [reply] = await once(asked, 'response')
    reply.destroy()
    expect(reply.statusCode).toBe(200)
  })

  it('has the result of a command that is as long as two of its frames and more', async () => {
    const { leader, atFollower } = await cluster()
    const agent = await leader.agent(atFollower)
    const length = 3 * 1024 * 1024
    const result = await hostOf(leader, agent)?.run(`head -c ${length} /dev/zero | tr '\\0' x`, {
      ...options,
      maxOutputBytes: length,
    })
    expect(result?.output.length).toBe(length)
  })

  it('is ended when its secret is renewed, and then refused', async () => {
    const { leader, atFollower } = await cluster()
    const agent = await leader.agent(atFollower)
    const admin = await leader.admin()
    await admin.call('POST', 'profile/agent-secret')
    await expect.poll(() => agent.lastStatus).toMatchObject({ code: 16, details: '客户端认证失败' })
    expect(leader.isConnected(agent)).toBe(false)
  })
})

describe('without having been offline', () => {
  it('an agent goes on at the leader when its follower has ended', async () => {
    const { leader, follower, atFollower, changes } = await cluster()
    const agent = await leader.agent(atFollower)
    await follower.close()
    agent.settings = { ...agent.settings, server: `127.0.0.1:${leader.port}` }
    await expect.poll(() => agent.connections).toBe(2)
    await expect.poll(() => agent.receipts).toBeGreaterThan(1)
    expect(await hostOf(leader, agent)?.run('echo $((40 + 2))', options)).toMatchObject({ output: '42\n' })
    expect(changes).toEqual([true])
  })

  it('an agent whose follower cannot reach the leader for a moment keeps its connection, and gets its receipts', async () => {
    const { leader, network, atFollower, changes } = await cluster()
    const agent = await leader.agent(atFollower)
    await expect.poll(() => agent.receipts).toBeGreaterThan(2)
    network.cut('refused')
    const { receipts } = agent
    await expect.poll(() => agent.receipts).toBeGreaterThan(receipts + 3)
    network.mend()
    await expect.poll(async () => (await hostOf(leader, agent)?.run('echo $((40 + 2))', options))?.output).toBe('42\n')
    expect([agent.connections, changes]).toEqual([1, [true]])
  })

  it('an agent stays where it is when another server leads', async () => {
    const { leader, follow, atFollower } = await cluster()
    const agent = await leader.agent(atFollower)
    await expect.poll(() => agent.receipts).toBeGreaterThan(2)
    const next = await testAgentServer(leader.store)
    const links = await linksOf(next.app)
    const changes = watchPresence(next)
    follow(links.address)
    await expect.poll(() => next.isConnected(agent)).toBe(true)
    const row = { id: Number(next.rowOf(agent)?.id) }
    await expect
      .poll(() => next.app.machines.wireReport(row))
      .toMatchObject({
        host: { version: '2.3.3' },
        geoip: { ip: { ipv4_addr: '203.0.113.10' } },
      })
    await expect.poll(() => next.isConnected(agent)).toBe(true)
    expect(await hostOf(next, agent)?.run('echo $((40 + 2))', options)).toMatchObject({ output: '42\n' })
    expect([agent.connections, changes]).toEqual([1, [true]])
  })
})

it.each(['has ended', 'is silent'])(
  'an agent whose follower %s, and that comes back nowhere, is offline after 25 seconds of silence',
  async (how) => {
    const { leader, network, follower, atFollower } = await cluster()
    const agent = await leader.agent(atFollower)
    if (how === 'has ended') await follower.close()
    else network.cut('silent')
    // Nobody can be asked for anything there.
    await expect.poll(async () => (await hostOf(leader, agent)?.run('true', options))?.ended).toBe('failed')
    leader.clock.now += 24_000
    expect(leader.isConnected(agent)).toBe(true)
    leader.clock.now += 2000
    expect(leader.isConnected(agent)).toBe(false)
  },
)

it.each(['silent', 'refused'] as const)(
  'where a follower alone does not reach the leader (%s), its agents are told to try elsewhere',
  async (how) => {
    const { leader, network, atFollower, hearOfLeader } = await cluster()
    hearOfLeader()
    const agent = await leader.agent(atFollower)
    network.cut(how)
    await expect
      .poll(() => agent.lastStatus)
      .toMatchObject({
        code: 14,
        details: expect.stringContaining('no server leads this cluster'),
      })
    // It tries again by itself, as long as it takes.
    network.mend()
    const { connections } = agent
    await expect.poll(() => agent.connections).toBeGreaterThan(connections)
    await expect.poll(() => agent.receipts).toBeGreaterThan(1)
  },
)

it('a terminal at a follower that stands still ends when its agent is at another node', async () => {
  const { leader, network, atFollower } = await cluster()
  const agent = await leader.agent(atFollower)
  const shell = await hostOf(leader, agent)?.openShell({ rows: 24, cols: 80 })
  if (!shell) throw new Error('there is no shell')
  const ended = new Promise<void>((resolve) => shell.onExit(resolve))
  network.cut('silent')
  agent.settings = { ...agent.settings, server: `127.0.0.1:${leader.port}` }
  await ended
  expect(agent.connections).toBe(2)
})

it('somebody behind a proxy that speaks HTTP/2 without TLS gets through a follower', async () => {
  const { follower } = await cluster()
  const session = connect(`http://127.0.0.1:${follower.port}`)
  onTestFinished(() => session.destroy())
  const asked = session.request({ ':path': '/api/v1/login', ':method': 'POST', 'content-type': 'application/json' })
  asked.end(JSON.stringify({ username: 'admin', password: 'wrong' }))
  const [headers] = await once(asked, 'response')
  const body = Buffer.concat(await asked.toArray()).toString()
  expect([headers[':status'], JSON.parse(body)]).toEqual([200, { error: 'ApiErrorUnauthorized' }])
})

describe('a link of a node is ended', () => {
  it.each([
    ['that speaks another version', 99, Buffer.alloc(0)],
    ['that says what no node says', 1, Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['that announces more than any message has', 1, Buffer.of(0, 255, 255, 255, 255)],
    ['that opens a call with no JSON', 1, Buffer.of(0, 0, 0, 0, 6, 1, 1, 0, 0, 0, 123)],
  ])('%s', async (_, agents, bytes) => {
    const { app } = await testAgentServer()
    const links = await linksOf(app)
    const link = openLink(links.address, followerKey, { agents })
    link.on('error', () => {})
    link.write(bytes)
    link.resume()
    await once(link, 'close')
  })
})

it('a report arrives as it was, whatever has changed since the one before', () => {
  const reader = new StateReader()
  const write = createStateWriter()
  const state: HostState = {
    cpu: 1.5,
    mem_used: 2 ** 40,
    swap_used: 0,
    disk_used: 3,
    net_in_transfer: 2 ** 53,
    net_out_transfer: 5,
    net_in_speed: 6,
    net_out_speed: 7,
    uptime: 8,
    load_1: 0.1,
    load_5: 0.2,
    load_15: 0.3,
    tcp_conn_count: 9,
    udp_conn_count: 10,
    process_count: 11,
    temperatures: [{ Name: 'Prozessor 1 °', Temperature: 41.5 }],
    gpu: [1, 2],
  }
  for (const next of [
    state,
    state,
    { ...state, cpu: 0, load_1: Number.NaN },
    { ...state, temperatures: [], gpu: [] },
    { ...state, temperatures: [{ Name: '', Temperature: Number.NaN }] },
    state,
  ])
    expect(reader.read(write(next))).toEqual(next)
  expect(write(state).length).toBe(4)
})
