import { WebSocket } from 'ws'
import type { Site } from '../console/visit.ts'

/** A session without a browser: the same server, the same frames, nothing else. */
export interface BareSession {
  /** Milliseconds from asking for the session to its open socket. */
  openMs: number
  socket: WebSocket
  /** Takes every message that comes until `isDone` says so. @returns milliseconds since `send` */
  exchange(send: () => void | Promise<void>, isDone: (frame: Buffer) => boolean): Promise<number>
  close(): void
}

export async function openBareSession({ address, cookies }: Site, kind: 'terminal' | 'file'): Promise<BareSession> {
  const start = performance.now()
  const cookie = cookies.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const csrf = cookies.cookies.find(({ name }) => name === 'nz-csrf')?.value ?? ''
  const reply = await fetch(`${address}/api/v1/${kind}?id=1`, {
    method: 'POST',
    headers: { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json' },
    body: JSON.stringify({ server_id: 1 }),
  })
  const { data, error } = (await reply.json()) as { data?: { session_id: string }; error?: string }
  if (!data) throw new Error(`There is no session to be had: ${error}`)
  const url = `${address.replace('http', 'ws')}/api/v1/ws/${kind}/${data.session_id}`
  const socket = new WebSocket(url, { headers: { cookie }, perMessageDeflate: false })
  const early: Buffer[] = []
  let take = (frame: Buffer) => void early.push(frame)
  socket.on('message', (frame: Buffer) => take(frame))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    openMs: performance.now() - start,
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
