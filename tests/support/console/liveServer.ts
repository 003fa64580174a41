import { act } from '@testing-library/react'
import type { OpenFeedWorker } from '../../../src/live/feedWorker.ts'
import { handleFeedRequests } from '../../../src/live/handleFeedRequests.ts'
import { LiveFeed } from '../../../src/live/liveFeed.ts'
import type { LiveServer } from '../../../src/schemas/machines/live.ts'
import { FakeSocket, FakeWebSocket } from '../fakes/fakeWebSocket.ts'

/** The feed as the worker runs it, but in the page and on a socket that the test plays. */
export const openInPage: OpenFeedWorker = (receive) => {
  const feed = handleFeedRequests(receive, {
    url: 'ws://localhost/api/v1/ws/server',
    createFeed: () => new LiveFeed(),
    Socket: FakeWebSocket,
  })
  return { post: feed.receive, close: feed.stop }
}

/** The server sends a frame; every machine reported a moment ago unless it says otherwise. */
export async function sendFrame(
  machines: (Partial<LiveServer> & { id: number })[],
  { now = Date.now(), online = 1 } = {},
): Promise<void> {
  const servers = machines.map((machine) => ({ last_active: new Date(now - 1000).toISOString(), ...machine }))
  await act(async () => FakeSocket.newest.say({ now, online, servers }))
}
