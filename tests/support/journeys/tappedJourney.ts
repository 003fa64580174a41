import { type FrameTap, tapFrames } from './frameTap.ts'
import { test as journey } from './journey.ts'

/** A journey whose sockets are listened to on their way to the server. */
export const test = journey.extend<{ tap: FrameTap }>({
  tap: async ({ started }, use) => {
    const tap = await tapFrames(started.server.address)
    await use(tap)
    await tap.close()
  },
  server: ({ started, tap }, use) => use({ ...started.server, address: tap.address }),
})
