import type { WebSocket } from 'ws'
import type { FrameBytes } from './frameMemory.ts'

/** One open live stream, with its flow control. */
export interface LiveViewer {
  /**
   * Sends a frame, unless the last one is still being sent. Ends streams whose client has gone.
   * @returns whether it was sent
   */
  send(frame: FrameBytes): boolean
  /** Ends a stream that is no longer allowed. */
  end(): void
}

const framesPerPing = 4
/** About half a minute. */
const framesUntilLost = 15
/** Messages and pings of a client between two frames. It needs none; a flood would take all of the processor. */
const messagesPerFrame = 20

export function createLiveViewer(socket: WebSocket): LiveViewer {
  let sent = 0
  let skipped = 0
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  let messages = 0
  function countMessage(): void {
    messages++
    if (messages > messagesPerFrame) socket.terminate()
  }
  socket.on('message', countMessage)
  socket.on('ping', countMessage)
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
    send(frame) {
      messages = 0
      if (socket.readyState !== socket.OPEN) return false
      if (socket.bufferedAmount > 0) {
        skip()
        return false
      }
      skipped = 0
      socket.send(frame.bytes, { binary: false }, frame.hold())
      sent++
      if (sent % framesPerPing === 0) ping()
      return true
    },
  }
}
