import { afterAll, beforeEach } from 'vitest'
import { openServers } from '../server/openServers.ts'

async function closeServers(serversBefore: ReadonlySet<unknown>): Promise<void> {
  for (const server of [...openServers].reverse()) {
    if (serversBefore.has(server)) continue
    openServers.delete(server)
    await server.close()
  }
}

// Files share a process: a server that stays open keeps its memory and its timers until all of them are through. One
// that a file starts for all of its tests stays until its end.
beforeEach(({ onTestFinished }) => {
  const serversBefore = new Set(openServers)
  // Registered first, and so called last: what a test ends itself still finds its server.
  onTestFinished(() => closeServers(serversBefore))
})

afterAll(() => closeServers(new Set()))
