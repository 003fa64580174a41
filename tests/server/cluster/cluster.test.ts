import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { signIn } from '../../../scripts/soak/api.ts'
import type { ClusterNodes } from '../../../src/schemas/endpoints/clusterEndpoints.ts'
import { TestAgent } from '../../support/agent/testAgent.ts'
import { networkTo } from '../../support/postgres/networkTo.ts'
import { ask } from '../../support/postgres/startPostgres.ts'
import { nodeAdmin as admin, clusterSettings, startNode } from '../../support/server/process/nodeProcess.ts'
import { startServerProcess } from '../../support/server/process/serverProcess.ts'
import type { ServerProcess } from '../../support/server/process/spawnServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const groupNames = async (api: Awaited<ReturnType<typeof signIn>>) =>
  (await api.call<{ group: { name: string } }[]>('GET', 'server-group'))?.map(({ group }) => group.name) ?? []

const addGroup = (api: Awaited<ReturnType<typeof signIn>>, name: string) =>
  api.call('POST', 'server-group', { name, servers: [] })

/** The same session at another node. */
const at = (node: ServerProcess, api: Awaited<ReturnType<typeof signIn>>) => ({
  ...api,
  async call<T>(method: string, path: string, body?: unknown) {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const reply = await fetch(`${node.address}/api/v1/${path}`, { method, headers: api.headers(), body: sent })
    const { success, data, error } = (await reply.json()) as { success?: boolean; data?: T; error?: string }
    if (!success) throw new Error(error)
    return data as T
  },
})

it('a second node passes everything on, and leads with the same sessions when the first is killed', async () => {
  const settings = await clusterSettings()
  const leader = await startNode(settings)
  const follower = await startNode(settings)
  expect(follower.output()).toContain('Another server leads the cluster')
  expect(await (await fetch(`${follower.address}/readyz`)).text()).toBe('ok\n')
  const api = await signIn(follower.address, admin)
  await addGroup(api, 'before')

  // The address is that of the visitor, not of the node between.
  const seen = await new Promise<string>((resolve) => {
    const path = '/api/v1/wheelhouse/address/NZ::Use-Peer-IP'
    get(`${follower.address}${path}`, { localAddress: '127.0.0.7', headers: api.headers() }, async (reply) => {
      resolve(Buffer.concat(await reply.toArray()).toString())
    })
  })
  expect(JSON.parse(seen)).toEqual({ success: true, data: { address: '127.0.0.7' } })

  const socket = new WebSocket(`${follower.address.replace('http', 'ws')}/api/v1/ws/server`, { headers: api.headers() })
  const frame = await new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))))
  expect(JSON.parse(frame)).toHaveProperty('servers')
  socket.terminate()

  const { agent_secret: secret } = await api.call<{ agent_secret: string }>('GET', 'profile')
  const agent = new TestAgent({ server: new URL(follower.address).host, secret, timeScale: 0.1 })
  onTestFinished(() => agent.stop())
  agent.start()
  await vi.waitFor(() => expect(agent.receipts).toBeGreaterThan(1))

  const { nodes, term } = await api.call<ClusterNodes>('GET', 'wheelhouse/cluster')
  expect([term, nodes.map(({ leader }) => leader)]).toEqual([1, [true, false]])

  const metrics = await (await fetch(`${follower.address}/metrics`, { headers: api.headers() })).text()
  expect(metrics).toMatch(/^wheelhouse_cluster_term 1$/m)

  leader.kill('SIGKILL')
  const again = at(follower, api)
  await vi.waitFor(() => addGroup(again, 'after'), { interval: 100 })
  expect(await groupNames(again)).toEqual(['before', 'after'])
  // The agent is online there; on a machine that is not too busy, it has kept its connection.
  await vi.waitFor(async () => {
    const servers = await again.call<{ host: { version?: string }; last_active: string }[]>('GET', 'server')
    expect(servers).toEqual([
      expect.objectContaining({
        host: expect.objectContaining({ version: '2.3.3' }),
        last_active: expect.not.stringMatching(/^0001/),
      }),
    ])
  })
  const { receipts } = agent
  await vi.waitFor(() => expect(agent.receipts).toBeGreaterThan(receipts))
  const { term: next, changes } = await again.call<ClusterNodes>('GET', 'wheelhouse/cluster')
  expect([next, changes.length]).toEqual([2, 2])
})

const auditOf = (api: Awaited<ReturnType<typeof signIn>>, query = '') =>
  api.call<{ value: { id: number; action: string; target?: string }[]; pagination: { total: number } }>(
    'GET',
    `wheelhouse/audit?limit=500${query}`,
  )

it('the audit log is the same at the next leader, with all that was acknowledged', async () => {
  const settings = await clusterSettings()
  const leader = await startNode(settings)
  const api = await signIn(leader.address, admin)
  const follower = await startNode(settings)
  await Promise.all(Array.from({ length: 60 }, (_, number) => addGroup(api, `group ${number}`)))
  const before = await auditOf(api)
  expect(before.value.filter(({ action }) => action === 'server-group.create')).toHaveLength(60)
  // Acknowledged, and the leader is killed in the same moment.
  await addGroup(api, 'last')
  leader.kill('SIGKILL')
  const again = at(follower, api)
  const after = await vi.waitFor(() => auditOf(again), { interval: 100 })
  expect(after.value.slice(1)).toEqual(before.value)
  expect(after.value[0]).toMatchObject({ action: 'server-group.create' })
  expect(after.pagination.total).toBe(before.pagination.total + 1)
  await addGroup(again, 'next')
  const found = await auditOf(again, '&action=server-group.create')
  expect(found.value.map(({ id }) => id)).toEqual(
    Array.from({ length: 62 }, (_, place) => before.pagination.total + 2 - place),
  )
})

it('charts go on at the next leader, with what the one before has measured', async () => {
  const settings = { ...(await clusterSettings()), WATCH_THIS_MACHINE: 'true' }
  const leader = await startNode(settings)
  const follower = await startNode(settings)
  const api = await signIn(follower.address, admin)
  const chart = async () => {
    const [machine] = await at(follower, api).call<{ id: number }[]>('GET', 'server')
    const path = `server/${machine?.id}/metrics?metric=uptime&period=1d`
    return (await at(follower, api).call<{ data_points: { ts: number }[] }>('GET', path)).data_points
  }
  const before = await vi.waitFor(async () => {
    const points = await chart()
    expect(points.length).toBeGreaterThan(1)
    return points
  })
  leader.kill('SIGKILL')
  await vi.waitFor(
    async () => {
      const after = await chart()
      expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
      expect(after.length).toBeGreaterThan(before.length)
    },
    { timeout: 120_000, interval: 500 },
  )
})

it('while PostgreSQL is away, lists can be read and writes are refused in words; after it nothing is lost', async () => {
  const settings = await clusterSettings()
  const network = await networkTo(settings.DATABASE_URL)
  onTestFinished(network.close)
  const node = await startNode({ ...settings, DATABASE_URL: network.url })
  const api = await signIn(node.address, admin)
  await addGroup(api, 'before')
  network.cut('refused')
  await vi.waitFor(async () => {
    const { wheelhouse } = await api.call<{ wheelhouse: { warnings?: string[] } }>('GET', 'setting')
    expect(wheelhouse.warnings).toContain('database_away')
  })
  expect(await groupNames(api)).toEqual(['before'])
  const reply = await fetch(`${node.address}/api/v1/server-group`, {
    method: 'POST',
    headers: api.headers(),
    body: JSON.stringify({ name: 'refused', servers: [] }),
  })
  expect([reply.status, await reply.json()]).toEqual([
    503,
    { error: expect.stringContaining('the database of the server cannot be reached: nothing was saved') },
  ])
  expect(await groupNames(api)).toEqual(['before'])
  network.mend()
  await vi.waitFor(() => addGroup(api, 'after'))
  const stored = await ask(
    { url: settings.DATABASE_URL },
    `SELECT name FROM ${settings.WHEELHOUSE_SCHEMA}."server-group" ORDER BY id`,
  )
  expect(stored.map(({ name }) => name)).toEqual(['before', 'after'])
})

it('a leader that is cut off without a word, or stopped, acts no more when another one leads, and ends', async () => {
  const settings = await clusterSettings()
  const network = await networkTo(settings.DATABASE_URL)
  onTestFinished(network.close)
  const cutOff = await startNode({ ...settings, DATABASE_URL: network.url })
  const api = await signIn(cutOff.address, admin)
  const stopped = await startNode(settings)
  network.cut('silent')
  await vi.waitFor(() => addGroup(at(stopped, api), 'second'), { interval: 200 })
  await expect(addGroup(api, 'lost')).rejects.toThrow('cannot be reached')
  network.mend()
  expect(await cutOff.ended).toBe(75)
  expect(cutOff.output()).toContain('Another server leads the cluster now')

  const third = await startNode(settings)
  stopped.kill('SIGSTOP')
  await vi.waitFor(() => addGroup(at(third, api), 'third'), { interval: 200 })
  stopped.kill('SIGCONT')
  expect(await stopped.ended).toBe(75)
  expect(await groupNames(at(third, api))).toEqual(['second', 'third'])
  const terms = `SELECT term, count(*) AS commits FROM ${settings.WHEELHOUSE_SCHEMA}.commit_log GROUP BY term ORDER BY term`
  expect((await ask({ url: settings.DATABASE_URL }, terms)).map(({ term }) => term)).toEqual(['1', '2', '3'])
})

it.each([
  [{ CLUSTER_KEY: 'short' }, 'CLUSTER_KEY must be 32 bytes in base64'],
  [{ DATABASE_URL: 'postgres://127.0.0.1:1/nothing' }, 'PostgreSQL at 127.0.0.1:1/nothing cannot be used'],
  [{ DATABASE_URL: 'mysql://db' }, 'DATABASE_URL is no address of a PostgreSQL'],
  [{ DATABASE_URL: 'postgres://user:p@ss/1@db.example.org/a' }, 'DATABASE_URL is no address of a PostgreSQL'],
  [{ DATABASE_URL: '' }, 'is set and DATABASE_URL is not'],
  [{ WHEELHOUSE_SCHEMA: 'a b' }, 'WHEELHOUSE_SCHEMA is "a b"'],
  [{ HISTORY_DAYS: '30' }, 'HISTORY_DAYS is "30": set it to the number of days to keep the history, from 31 to 3660.'],
])('with %j a start ends in a sentence', async (wrong, sentence) => {
  const settings = { DATABASE_URL: 'postgres://127.0.0.1/x', CLUSTER_KEY: randomBytes(32).toString('base64') }
  const node = await startServerProcess({ DATA_DIR: join(temporaryFolder(), 'data'), ...settings, ...wrong })
  expect(await node.ended).toBe(1)
  expect(node.output()).toContain(sentence)
})
