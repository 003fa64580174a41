import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { type AppOptions, buildApp } from '../../../../server/app.ts'
import { type AuditLine, openAuditLog } from '../../../../server/audit/auditLog.ts'
import { hashPassword } from '../../../../server/auth/passwords/password.ts'
import { addUser, usersIn } from '../../../../server/auth/users/users.ts'
import { openStore, type Store } from '../../../../server/db/store.ts'
import { entityTable } from '../../../../server/entities/entityTable.ts'
import type { Host } from '../../../../server/machines/hosts/host.ts'
import { createMachines } from '../../../../server/machines/machines.ts'
import { server as servers } from '../../../../src/schemas/server.ts'
import { type Browser, createBrowser } from '../../console/browser.ts'
import type { Refusal } from '../../recorded/socketRecording.ts'
import { type RunningHost, startRunningHost } from '../runningHost.ts'
import { cheapPasswords, password } from '../testServer.ts'
import { openTerminalSocket, refusalOf, type TerminalConnection } from './terminalConnection.ts'

/** What its shells show when they wait. */
export const prompt = 'ready> '

/** A whole server on a port of its own, with one machine that has real shells; its row is 1 and nobody's. */
export interface TerminalServer {
  store: Store
  host: RunningHost
  audit: AuditLine[]
  /** What the operator was told. */
  logged: string[]
  /** The machine is not there any more. */
  goOffline(): Promise<void>
  /** TransferOptions the server's clock. */
  later(ms: number): void
  signIn(username?: string): Promise<Browser>
  /** The reply to `POST /terminal`. */
  create(browser: Browser, serverId?: number): Promise<{ session_id?: string; error?: string }>
  attach(browser: Browser, sessionId: string): Promise<TerminalConnection>
  /** How it refuses a socket. */
  refused(browser: Browser, sessionId: string, headers?: Record<string, string>): Promise<Refusal>
  /** A terminal at its first prompt. */
  open(username?: string): Promise<TerminalConnection & { id: string; browser: Browser }>
  close(): Promise<void>
}

const passwordHash = hashPassword(password, cheapPasswords)

export async function startTerminalServer(
  times?: AppOptions['socketTimes'],
  changed: Partial<Host> = {},
): Promise<TerminalServer> {
  const store = openStore(':memory:')
  const users = usersIn(store)
  for (const [role, username] of ['admin', 'member', 'other'].entries()) {
    addUser(users, { username, password: await passwordHash, role: Math.min(role, 1), now: 0 })
  }
  let ahead = 0
  const now = () => Date.now() + ahead
  // Machines report by the real clock.
  const machines = createMachines({ store })
  const audit: AuditLine[] = []
  const logged: string[] = []
  const tell = (text: string, cause?: unknown) => logged.push(cause === undefined ? text : `${text} ${cause}`)
  const app = await buildApp({
    ...{ store, machines, now, version: '1.2.3', settings: { host: '127.0.0.1' } },
    log: { info: tell, warn: tell, error: tell },
    audit: openAuditLog({ lines: audit }),
    socketTimes: times,
    passwordCost: cheapPasswords,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const close = () => app.close()
  onTestFinished(close)

  const host = { ...startRunningHost({ uuid: 'machine-1', name: 'box' }), ...changed }
  const quiet = '[ -n "$BASH_VERSION" ] && bind "set enable-bracketed-paste off" 2>/dev/null'
  writeFileSync(join(host.folder, '.profile'), `PS1='${prompt}'\n${quiet}\n`)
  machines.add(host)
  await vi.waitFor(() => expect(entityTable(store, servers).all()).toHaveLength(1), { timeout: 10_000 })

  const cookieOf = ({ cookies }: Browser): Record<string, string> =>
    cookies.has('nz-jwt') ? { cookie: `nz-jwt=${cookies.get('nz-jwt')}` } : {}

  async function signIn(username = 'admin'): Promise<Browser> {
    const browser = createBrowser(app)
    if (username) await browser.signIn(username, password)
    return browser
  }

  async function create(browser: Browser, serverId = 1): Promise<{ session_id?: string; error?: string }> {
    const { body } = await browser.call('POST', 'terminal', { body: { server_id: serverId } })
    const { data, error } = body as { data?: object; error?: string }
    return { ...data, error }
  }

  const attach = (browser: Browser, id: string) => openTerminalSocket(address, id, cookieOf(browser))

  return {
    ...{ store, host, audit, logged, signIn, create, attach, close, goOffline: machines.stop },
    later(ms) {
      ahead += ms
    },
    refused: (browser, id, headers) =>
      refusalOf(`${address.replace('http', 'ws')}/api/v1/ws/terminal/${id}`, { ...cookieOf(browser), ...headers }),
    async open(username) {
      const browser = await signIn(username)
      const { session_id: id, error } = await create(browser)
      if (!id) throw new Error(error)
      const connection = await attach(browser, id)
      await connection.until(prompt)
      return { ...connection, id, browser }
    },
  }
}
