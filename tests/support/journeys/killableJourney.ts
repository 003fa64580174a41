import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { waitForOwnMachine } from '../server/changeDatabase.ts'
import { type ServerProcess, spawnServer } from '../server/process/spawnServer.ts'
import { test as base } from './sharedServers.ts'

export { expect }

const password = 'correct horse battery'

export interface KillableServer {
  address: string
  /** Holds the data folder, `data`, and whatever a test likes. */
  folder: string
  /** Ends as a power failure would. */
  kill(): Promise<void>
  /** Starts again, on the same data and at the same address. */
  revive(): Promise<void>
}

/** A browser that is signed in to a server of its own, which may die. */
export const test = base.extend<{ killable: KillableServer }>({
  killable: async ({ context }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-'))
    const start = (settings: Record<string, string> = {}) =>
      spawnServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password, ...settings })
    let server: ServerProcess = await start()
    const { address } = server
    await waitForOwnMachine(join(folder, 'data'))
    const kill = async () => {
      server.kill('SIGKILL')
      await server.ended
    }
    try {
      const reply = await context.request.post(`${address}/api/v1/login`, { data: { username: 'admin', password } })
      expect(await reply.json()).toMatchObject({ success: true })
      await use({
        address,
        folder,
        kill,
        revive: async () => {
          server = await start({ PORT: new URL(address).port })
        },
      })
    } finally {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    }
  },
})
