import { afterAll, beforeEach } from 'vitest'
import { openServers } from '../server/openServers.ts'

async function closeServers(kept: ReadonlySet<unknown>): Promise<void> {
  for (const app of openServers) {
    if (kept.has(app)) continue
    openServers.delete(app)
    await app.close()
  }
}

// Files share a process: a server that stays open keeps its memory and its timers until all of them are through. One
// that a file starts for all of its tests stays until its end.
beforeEach(({ onTestFinished }) => {
  const kept = new Set(openServers)
  // Registered first, and so called last: what a test ends itself still finds its server.
  onTestFinished(() => closeServers(kept))
})

afterAll(() => closeServers(new Set()))
