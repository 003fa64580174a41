import { WebSocket } from 'ws'
import type { Api } from '../../soak/api.ts'

/** Open lists of an admin: what the live stream sends each of them. */
export interface LiveLists {
  /** Since the last call. */
  take(): { frames: number; bytes: number; different: number }
  close(): void
}

/** How many of the last frames are compared. */
const compared = 50

export async function openLiveLists(api: Api, count: number): Promise<LiveLists> {
  let [frames, bytes] = [0, 0]
  const texts: string[][] = Array.from({ length: count }, () => [])
  const sockets = texts.map((own) => {
    const socket = new WebSocket(`${api.sockets}/api/v1/ws/server`, { headers: api.headers() })
    socket.on('message', (data: Buffer) => {
      frames += 1
      bytes += data.length
      own.push(data.toString())
      if (own.length > compared) own.shift()
    })
    return socket
  })
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise((resolve, reject) => {
          socket.on('open', resolve)
          socket.on('error', reject)
        }),
    ),
  )
  return {
    take() {
      // Lists that were opened at other moments begin with other frames; the last ones are the same.
      const [first = []] = texts
      const others = texts.slice(1)
      const different = first.slice(-5, -1).filter((text) => others.some((own) => !own.includes(text))).length
      const taken = { frames, bytes, different }
      frames = 0
      bytes = 0
      return taken
    },
    close() {
      for (const socket of sockets) socket.terminate()
    },
  }
}
