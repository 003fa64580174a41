import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { buildApp } from '../../../../server/app.ts'
import { type AuditLine, openAuditLog } from '../../../../server/audit/auditLog.ts'
import { hashPassword } from '../../../../server/auth/passwords/password.ts'
import { addUser, usersIn } from '../../../../server/auth/users/users.ts'
import { openStore } from '../../../../server/db/store.ts'
import type { Host } from '../../../../server/machines/hosts/host.ts'
import { createMachines } from '../../../../server/machines/machines.ts'
import { createBrowser } from '../../console/browser.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { createTestHost } from '../testHost.ts'
import { cheapPasswords, password } from '../testServer.ts'
import { type FileConnection, openFileSocket } from './fileConnection.ts'

/** A whole server on a port of its own, with one machine whose home is a new folder. */
export interface FileServer {
  /** Home of the machine. */
  home: string
  host: Host
  audit: AuditLine[]
  clock: { now: number }
  /** Signs in and opens a session. @param opener who makes the session, when it is not who attaches */
  connect(username?: string, opener?: string): Promise<FileConnection>
  close(): Promise<void>
}

const passwordHash = hashPassword(password, cheapPasswords)

export async function startFileServer({ home = temporaryFolder() } = {}): Promise<FileServer> {
  const store = openStore(':memory:')
  const users = usersIn(store)
  for (const [role, username] of ['admin', 'member'].entries()) {
    addUser(users, { username, password: await passwordHash, role, now: 0 })
  }
  const clock = { now: Date.parse('2026-11-21T00:00:00Z') }
  const now = () => clock.now
  const machines = createMachines({ store, now })
  const audit: AuditLine[] = []
  const log = {
    info: () => {},
    warn: () => {},
    error: (text: string, cause: unknown) => {
      throw new Error(text, { cause })
    },
  }
  const app = await buildApp({
    ...{ store, machines, log, now, version: '1.2.3', settings: { host: '127.0.0.1' } },
    audit: openAuditLog({ lines: audit }),
    passwordCost: cheapPasswords,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const host = createTestHost({ home })
  machines.add(host)
  host.tell()
  const close = () => app.close()
  onTestFinished(close)

  async function signIn(username: string): Promise<ReturnType<typeof createBrowser>> {
    const browser = createBrowser(app)
    await browser.signIn(username, password)
    return browser
  }

  async function connect(username = 'admin', opener = username): Promise<FileConnection> {
    const opened = await (await signIn(opener)).call('POST', 'file?id=1')
    const { data } = opened.body as { data?: { session_id: string } }
    if (!data) throw new Error(opened.text)
    const { port } = app.server.address() as AddressInfo
    const { cookies } = await signIn(username)
    return openFileSocket(`http://127.0.0.1:${port}`, data.session_id, `nz-jwt=${cookies.get('nz-jwt')}`)
  }

  return { home, host, audit, clock, connect, close }
}
