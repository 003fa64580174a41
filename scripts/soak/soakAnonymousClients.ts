import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnServer } from '../../tests/support/server/process/spawnServer.ts'
import { type AnonymousReport, connectAnonymousClients } from './anonymousClients.ts'
import { signIn } from './api.ts'
import { readableMemory } from './readMemory.ts'

const admin = { username: 'admin', password: 'only for the soak' }
/** Records in the list that somebody asks for meanwhile. */
const recordCount = 300

interface SoakOptions {
  /** Milliseconds for which the clients stay. */
  holdMs: number
  onProgress?: (text: string) => void
}

/** Starts a server in a temporary folder and connects clients without a session. @throws Error when it does not start or ends badly */
export async function soakAnonymousClients({ holdMs, onProgress }: SoakOptions): Promise<AnonymousReport> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-soak-'))
  const settings = { DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: admin.password, ...readableMemory.settings }
  const server = await spawnServer(settings, { nodeArgs: readableMemory.nodeArgs })
  try {
    if (!server.address) throw new Error(`The server did not start:\n${server.output()}`)
    const api = await signIn(server.address, admin)
    for (let number = 1; number <= recordCount; number++) {
      await api.call('POST', 'server-group', { name: `group ${number}`, servers: [] })
    }
    const report = await connectAnonymousClients({ server, api, holdMs, onProgress })
    const logged = server.output().match(/^.*(?:failed:|Error\b|^\s+at ).*$/gm) ?? []
    return { ...report, faults: [...report.faults, ...logged.slice(0, 20).map((line) => `The server logged: ${line}`)] }
  } finally {
    server.kill('SIGTERM')
    await server.ended
    rmSync(folder, { recursive: true, force: true })
  }
}
