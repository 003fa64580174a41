import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { spawnServer } from '../../../tests/support/server/process/spawnServer.ts'
import { ensureBuilt } from '../../bootstrap/build.mjs'
import { signIn } from '../../soak/api.ts'
import type { Site } from './bareSession.ts'
import { openTerminal, type TerminalPage } from './terminalPage.ts'

export interface Sites {
  /** A folder for files of the bench. */
  folder: string
  /** The server with the console that it brings. */
  embedded: Site
  /** The console in front of a server that knows nothing of it: `relay.ts`. */
  relayed: Site
  /** Ends both and removes the folder. */
  end(): Promise<void>
}

const credentials = { username: 'admin', password: 'only for benches' }

export async function startSites(): Promise<Sites> {
  await ensureBuilt(process.execPath)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wheelhouse-bench-terminal-')))
  const server = await spawnServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: credentials.password })
  const relay = new Worker(new URL('relay.ts', import.meta.url), { workerData: server.address })
  const [address] = (await once(relay, 'message')) as [string]
  return {
    folder,
    embedded: await siteAt(server.address),
    relayed: await siteAt(address),
    async end() {
      await relay.terminate()
      server.kill('SIGTERM')
      await server.ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function siteAt(address: string): Promise<Site> {
  const headers = (await signIn(address, credentials)).headers()
  return { address, headers, cookie: headers.cookie ?? '' }
}

/** The shell gets its first size after a second and a half, and draws its prompt again. */
export async function openQuietTerminal(site: Site): Promise<TerminalPage> {
  const page = await openTerminal(site)
  await page.evaluate(`document.querySelector('.xterm-helper-textarea').focus()`)
  await wait(2500)
  return page
}
