import { test as base } from '@playwright/test'

interface Stoppable {
  stop(): Promise<void>
}

export interface SharedServers {
  /**
   * The server of this key. It runs until a test asks for another one or, when it is lasting, until the worker ends.
   * @param key names the server and says how it is started: the same key, the same type
   */
  get<Server extends Stoppable>(
    key: string,
    start: () => Server | Promise<Server>,
    isLasting?: boolean,
  ): Promise<Server>
}

/**
 * What all journeys begin with, also those that share no server: fixtures of workers make kinds of workers, and each
 * change from one kind to another costs a process, a browser and the servers of that worker.
 */
export const test = base.extend<object, { sharedServers: SharedServers }>({
  sharedServers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from it
    async ({}, use) => {
      const running = new Map<string, { server: Stoppable; isLasting: boolean }>()
      const stop = async (isDone: (isLasting: boolean) => boolean) => {
        // The last one first: a server may run in the process of an earlier entry.
        for (const [key, { server, isLasting }] of [...running].reverse()) {
          if (!isDone(isLasting)) continue
          running.delete(key)
          await server.stop()
        }
      }
      await use({
        get: async <Server extends Stoppable>(
          key: string,
          start: () => Server | Promise<Server>,
          isLasting = false,
        ) => {
          const found = running.get(key)
          if (found) return found.server as Server
          await stop((lasts) => !lasts)
          const server = await start()
          running.set(key, { server, isLasting })
          return server
        },
      })
      await stop(() => true)
    },
    { scope: 'worker' },
  ],
})
