import { type BrowserContext, test as base, type TestInfo } from '@playwright/test'
import { keepTextsOfToasts } from './toasts.ts'

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
  context: async ({ context }, use, testInfo) => {
    await keepTextsOfToasts(context)
    await use(context)
    await attachScreenshots(context, testInfo)
    await endRoutes(context)
  },

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

/** Lets go of requests that a test still holds: one that is answered after the end of the test would fail it. */
export async function endRoutes(context: BrowserContext): Promise<void> {
  for (const routes of [context, ...context.pages()]) await routes.unrouteAll({ behavior: 'ignoreErrors' })
}

/**
 * Attaches a screenshot of each open page when the test has failed. The option of Playwright for it takes one of every
 * page that closes, in tests that pass too.
 */
export async function attachScreenshots(context: BrowserContext, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return
  for (const page of context.pages()) {
    const path = testInfo.outputPath(`failed-${testInfo.attachments.length + 1}.png`)
    try {
      await page.screenshot({ path, timeout: 5000 })
      testInfo.attachments.push({ name: 'screenshot', path, contentType: 'image/png' })
    } catch {
      // A page that has crashed has none, and the test has failed already.
    }
  }
}
