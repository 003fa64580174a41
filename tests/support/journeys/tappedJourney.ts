import { type FrameTap, tapFrames } from './frameTap.ts'
import { test as journey, type ServerUnderTest } from './journey.ts'

interface TappedServer extends ServerUnderTest {
  tap: FrameTap
}

/** A journey whose sockets are listened to on their way to the server. */
export const test = journey.extend<{ tap: FrameTap }, { server: ServerUnderTest }>({
  server: [
    async ({ server }, use) => {
      const tap = await tapFrames(server.address)
      const tapped: TappedServer = { ...server, address: tap.address, tap }
      await use(tapped)
      await tap.close()
    },
    { scope: 'worker' },
  ],
  tap: async ({ server }, use) => {
    const { tap } = server as TappedServer
    await use(tap)
    tap.stallAfter(Number.POSITIVE_INFINITY)
  },
})
