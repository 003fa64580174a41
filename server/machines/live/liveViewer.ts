import type { WebSocket } from 'ws'

/** One open live stream, and how it keeps up. */
export interface LiveViewer {
  /** Sends a frame, unless the last one is still on its way. Ends streams at whose other end nobody is any more. */
  send(text: string): void
  /** Ends the stream: it was allowed once and is no longer. */
  end(): void
}

const framesPerPing = 4
/** About half a minute. */
const framesUntilLost = 15

export function createLiveViewer(socket: WebSocket): LiveViewer {
  let sent = 0
  let skipped = 0
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  // A broken connection is no failure of ours; 'close' follows.
  socket.on('error', () => socket.terminate())

  /** A queue would only grow, and old figures help nobody. */
  function skip(): void {
    skipped++
    if (skipped >= framesUntilLost) socket.terminate()
  }

  function ping(): void {
    if (!isAlive) {
      socket.terminate()
      return
    }
    isAlive = false
    socket.ping()
  }

  return {
    end: () => socket.terminate(),
    send(text) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > 0) {
        skip()
        return
      }
      skipped = 0
      socket.send(text)
      sent++
      if (sent % framesPerPing === 0) ping()
    },
  }
}
