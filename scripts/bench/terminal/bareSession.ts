import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A server, and the cookies of somebody who is signed in there. */
export interface Site {
  /** `http://127.0.0.1:<port>` */
  address: string
  cookie: string
  /** Headers with the cookies and what goes with them. */
  headers: Record<string, string>
}

/** A session without a browser: the same server, the same frames, nothing else. */
export interface BareSession {
  socket: WebSocket
  /** Takes every message that comes until `isDone` says so. @returns milliseconds since `send` */
  exchange(send: () => void | Promise<void>, isDone: (frame: Buffer) => boolean): Promise<number>
  close(): void
}

export async function openBareSession({ address, headers }: Site, kind: 'terminal' | 'file'): Promise<BareSession> {
  const reply = await fetch(`${address}/api/v1/${kind}?id=1`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ server_id: 1 }),
  })
  const { data, error } = (await reply.json()) as { data?: { session_id: string }; error?: string }
  if (!data) throw new Error(`There is no session to be had: ${error}`)
  const url = `${address.replace('http', 'ws')}/api/v1/ws/${kind}/${data.session_id}`
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  const early: Buffer[] = []
  let take = (frame: Buffer) => void early.push(frame)
  socket.on('message', (frame: Buffer) => take(frame))
  await once(socket, 'open')
  return {
    socket,
    async exchange(send, isDone) {
      const begun = performance.now()
      const done = new Promise<number>((resolve) => {
        take = (frame) => {
          if (isDone(frame)) resolve(performance.now() - begun)
        }
      })
      for (const frame of early.splice(0)) take(frame)
      await send()
      return done
    },
    close: () => socket.terminate(),
  }
}
