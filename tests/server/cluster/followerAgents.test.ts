import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { signIn } from '../../../scripts/soak/api.ts'
import { TestAgent } from '../../support/agent/testAgent.ts'
import { testPostgres } from '../../support/postgres/testPostgres.ts'
import { startServerProcess } from '../../support/server/process/serverProcess.ts'
import type { ServerProcess } from '../../support/server/process/spawnServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const admin = { username: 'admin', password: 'correct horse' }

async function clusterSettings() {
  const { url, schema } = await testPostgres()
  return { DATABASE_URL: url, WHEELHOUSE_SCHEMA: schema, CLUSTER_KEY: randomBytes(32).toString('base64') }
}

async function startNode(settings: Record<string, string>): Promise<ServerProcess> {
  const folder = join(temporaryFolder(), 'data')
  const node = await startServerProcess({ DATA_DIR: folder, ADMIN_PASSWORD: admin.password, ...settings })
  expect(node.address, node.output()).not.toBe('')
  return node
}

type Api = Awaited<ReturnType<typeof signIn>>
interface ServerRow {
  id: number
  last_active: string
  host: { version?: string; platform?: string }
  state: { cpu?: number; uptime?: number }
  geoip?: { ip?: { ipv4_addr?: string } }
}

const servers = async (api: Api) => (await api.call<ServerRow[]>('GET', 'server')) ?? []
const isOnline = ({ last_active }: ServerRow) => !last_active.startsWith('0001')

it('an agent at a follower is online, gets tasks and moves to the leader without having been offline', async () => {
  const settings = await clusterSettings()
  const leader = await startNode(settings)
  const follower = await startNode(settings)
  const api = await signIn(leader.address, admin)
  const { agent_secret: secret } = await api.call<{ agent_secret: string }>('GET', 'profile')
  const agent = new TestAgent({ server: new URL(follower.address).host, secret, timeScale: 0.1 })
  onTestFinished(() => agent.stop())
  agent.start()
  await vi.waitFor(() => expect(agent.receipts, JSON.stringify(agent.lastStatus)).toBeGreaterThan(2))
  const [server] = await servers(api)
  expect(server && isOnline(server)).toBe(true)
  expect(server?.host).toMatchObject({ version: '2.3.3' })
  console.log(JSON.stringify(server), leader.output(), follower.output())
})
