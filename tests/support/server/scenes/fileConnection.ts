import type { WebSocket } from 'ws'
import { openSessionSocket } from './sessionSocket.ts'

/** One open socket of a file session. */
export interface FileConnection {
  socket: WebSocket
  /** Sends one frame; text goes as a frame of text. */
  send(frame: Uint8Array | string): void
  /** The next frame from the server. */
  next(): Promise<Buffer>
  /** Frames that nobody has taken yet. */
  waiting(): number
  /** Resolves with the close code. */
  closed: Promise<number>
}

/**
 * Opens the socket of a file session; it is closed when the test is over.
 * @param address `http://127.0.0.1:<port>`
 */
export async function openFileSocket(address: string, sessionId: string, cookie: string): Promise<FileConnection> {
  const frames: Buffer[] = []
  let wake = () => {}
  const { socket, closed } = await openSessionSocket(address, `file/${sessionId}`, { cookie }, (data) => {
    frames.push(data)
    wake()
  })
  void closed.then(() => wake())
  return {
    socket,
    send: (frame) => socket.send(frame),
    async next() {
      while (frames.length === 0) {
        if (socket.readyState !== socket.OPEN) throw new Error('the socket has closed')
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return frames.shift() as Buffer
    },
    waiting: () => frames.length,
    closed,
  }
}
