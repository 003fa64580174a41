import { readFileSync } from 'node:fs'
import { onTestFinished, vi } from 'vitest'
import { type Api, signIn } from '../../../../scripts/soak/api.ts'
import { TestAgent } from '../../agent/testAgent.ts'
import { startServerProcess, watching } from '../process/serverProcess.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type FileConnection, openFileSocket } from './fileConnection.ts'
import { openTerminalSocket, type TerminalConnection } from './terminalConnection.ts'

/** A server in a process of its own, whose memory can be measured, and an agent in this one. */
export interface AgentProcess {
  port: number
  api: Api
  /** Of the agent's machine. */
  serverId: number
  /** Where the agent's shells and files begin. */
  folder: string
  /** Memory of the server now, and the most that it has had so far, in MiB. */
  memory(): { resident: number; peak: number }
  terminal(): Promise<TerminalConnection>
  files(): Promise<FileConnection>
}

export async function startAgentProcess(): Promise<AgentProcess> {
  const admin = { username: 'admin', password: 'correct horse' }
  const { pid, address } = await startServerProcess({
    DATA_DIR: temporaryFolder(),
    ADMIN_PASSWORD: admin.password,
    ...watching,
  })
  const api = await signIn(address, admin)
  const { agent_secret: secret } = await api.call<{ agent_secret: string }>('GET', 'profile')
  const folder = temporaryFolder()
  const { port } = new URL(address)
  const agent = new TestAgent({
    ...{ server: `127.0.0.1:${port}`, secret, folder, home: folder },
    ...{ settings: { report_delay: 1 }, traces: false },
  })
  agent.start()
  onTestFinished(() => agent.stop())
  await vi.waitFor(() => {
    if (agent.receipts === 0) throw new Error(agent.lastStatus?.details ?? 'the agent has not reported')
  }, 10_000)
  const rows = await api.call<{ id: number; uuid: string }[]>('GET', 'server')
  const serverId = rows.find(({ uuid }) => uuid === agent.uuid)?.id ?? 0

  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  return {
    ...{ port: Number(port), api, serverId, folder },
    memory: () => ({ resident: read('VmRSS'), peak: read('VmHWM') }),
    async terminal() {
      const { session_id: id } = await api.call<{ session_id: string }>('POST', 'terminal', { server_id: serverId })
      return openTerminalSocket(address, id, api.headers())
    },
    async files() {
      const { session_id: id } = await api.call<{ session_id: string }>('POST', `file?id=${serverId}`)
      return openFileSocket(address, id, api.headers().cookie ?? '')
    },
  }
}
