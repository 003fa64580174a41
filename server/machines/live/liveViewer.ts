import type { WebSocket } from 'ws'

/** One open live stream, with its flow control. */
export interface LiveViewer {
  /** Sends a frame, unless the last one is still being sent. Ends streams whose client has gone. */
  send(text: string): void
  /** Ends a stream that is no longer allowed. */
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
  // Connection errors are expected; 'close' follows.
  socket.on('error', () => socket.terminate())

  /** Frames are dropped instead of queued: old metrics are useless. */
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
