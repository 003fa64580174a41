import type { AddressInfo } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { buildApp } from '../../../../server/app.ts'
import { type AuditLine, openAuditLog } from '../../../../server/audit/auditLog.ts'
import { hashPassword } from '../../../../server/auth/passwords/password.ts'
import { addUser, usersIn } from '../../../../server/auth/users/users.ts'
import { openStore, type Store } from '../../../../server/db/store.ts'
import { createMachines } from '../../../../server/machines/machines.ts'
import type { AgentSettings } from '../../agent/agentSettings.ts'
import type { AgentVersion } from '../../agent/agentVersions.ts'
import { TestAgent } from '../../agent/testAgent.ts'
import { type Browser, createBrowser } from '../../console/browser.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { cheapPasswords, password } from '../testServer.ts'
import { type FileConnection, openFileSocket } from './fileConnection.ts'
import { openTerminalSocket, type TerminalConnection } from './terminalConnection.ts'

/** A whole server on a port of its own with one machine, which is behind an agent; its row is 1. */
export interface ServerWithAgent {
  port: number
  store: Store
  agent: TestAgent
  /** Where the agent's shells and files begin. */
  folder: string
  audit: AuditLine[]
  logged: string[]
  signIn(username?: string): Promise<Browser>
  /** Opens a terminal on the agent. */
  terminal(browser?: Browser): Promise<TerminalConnection>
  /** Opens a file session on the agent. */
  files(browser?: Browser): Promise<FileConnection>
}

interface AgentServerOptions {
  settings?: Partial<AgentSettings>
  version?: AgentVersion
  /** Whose secret the agent has. Default: the admin's. */
  owner?: 'admin' | 'member'
  /** Whether the agent keeps what it sends and receives. */
  traces?: boolean
  /** Milliseconds that the agent has to open a stream. */
  streamMs?: number
}

const passwordHash = hashPassword(password, cheapPasswords)

export async function startServerWithAgent({
  settings,
  version,
  owner = 'admin',
  traces = false,
  streamMs,
}: AgentServerOptions = {}): Promise<ServerWithAgent> {
  const store = openStore(':memory:')
  const users = usersIn(store)
  for (const [role, username] of ['admin', 'member'].entries()) {
    addUser(users, { username, password: await passwordHash, role, now: 0 })
  }
  const audit: AuditLine[] = []
  const logged: string[] = []
  const log = (text: string, cause?: unknown) => void logged.push(cause === undefined ? text : `${text} ${cause}`)
  const app = await buildApp({
    ...{ store, machines: createMachines({ store }), version: '1.2.3', settings: { host: '127.0.0.1' } },
    log: { info: log, warn: log, error: log },
    audit: openAuditLog({ lines: audit }),
    socketTimes: { watchMs: 20 },
    agentStreamMs: streamMs,
    passwordCost: cheapPasswords,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}`

  const folder = temporaryFolder()
  const agent = new TestAgent({
    ...{ server: `127.0.0.1:${port}`, secret: users.find({ username: owner })[0]?.agent_secret as string, version },
    ...{ folder, home: folder, settings: { report_delay: 1, ...settings }, traces },
  })
  agent.start()
  onTestFinished(() => agent.stop())

  async function signIn(username = 'admin'): Promise<Browser> {
    const browser = createBrowser(app)
    await browser.signIn(username, password)
    return browser
  }

  const cookieOf = ({ cookies }: Browser) => `nz-jwt=${cookies.get('nz-jwt')}`

  /** The agent may not have reported yet. */
  async function created(browser: Browser, path: string, form: object): Promise<string> {
    return await vi.waitFor(
      async () => {
        const { body, text } = await browser.call('POST', path, { body: form })
        const { data } = body as { data?: { session_id: string } }
        if (!data) throw new Error(text)
        return data.session_id
      },
      { timeout: 15_000, interval: 50 },
    )
  }

  return {
    ...{ port, store, agent, folder, audit, logged, signIn },
    async terminal(given) {
      const browser = given ?? (await signIn())
      const id = await created(browser, 'terminal', { server_id: 1 })
      return openTerminalSocket(address, id, { cookie: cookieOf(browser) })
    },
    async files(given) {
      const browser = given ?? (await signIn())
      const id = await created(browser, 'file?id=1', {})
      return openFileSocket(address, id, cookieOf(browser))
    },
  }
}
