import type { WebSocket } from 'ws'

/** One open live stream, with its flow control. */
export interface LiveViewer {
  /**
   * Sends the frame of a tick, unless the last one is still being sent. Ends streams whose client has gone.
   * @param frame or what makes it, called when it can be sent
   * @returns whether it was sent
   */
  send(frame: FrameBytes | (() => FrameBytes)): boolean
  /**
   * Sends something between two ticks, unless the last one is still being sent; a buffer as binary.
   * @returns whether it was sent
   */
  answer(make: () => FrameBytes | Buffer): boolean
  /** Ends a stream that is no longer allowed. */
  end(): void
}

const framesPerPing = 4
/** About half a minute. */
const framesUntilLost = 15
/** Messages and pings of a client between two frames. Most need none; a flood would take all of the processor. */
const defaultMessages = 20

/** @param messagesPerFrame how many messages and pings a client may send between the frames of two ticks */
export function createLiveViewer(socket: WebSocket, messagesPerFrame = defaultMessages): LiveViewer {
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

  const isOpen = () => socket.readyState === socket.OPEN

  function sendNow(frame: FrameBytes | (() => FrameBytes)): void {
    const made = typeof frame === 'function' ? frame() : frame
    socket.send(made.bytes, { binary: false }, made.hold())
  }

  return {
    end: () => socket.terminate(),
    answer(make) {
      if (!isOpen() || socket.bufferedAmount > 0) return false
      const answer = make()
      if (Buffer.isBuffer(answer)) socket.send(answer)
      else sendNow(answer)
      return true
    },
    send(frame) {
      messages = 0
      if (!isOpen()) return false
      if (socket.bufferedAmount > 0) {
        skip()
        return false
      }
      skipped = 0
      sendNow(frame)
      sent++
      if (sent % framesPerPing === 0) ping()
      return true
    },
  }
}

/** A frame while it is built and sent. */
export interface FrameBytes {
  append(text: string): void
  /** What was appended so far, in UTF-8. */
  readonly bytes: Buffer
  /** Keeps the memory until the returned function is called. */
  hold(): () => void
}

/** Memory for frames, which is used again when a frame has been sent to all. */
export interface FrameMemory {
  /** Memory that nobody holds. It may be given to the next frame as soon as its last holder has released it. */
  take(): FrameBytes
}

/** Bytes at first; a frame of a large fleet has megabytes. */
const initialBytes = 16 * 1024
/** Blocks that wait for the next frame. */
const maxFree = 4
/** Bytes of UTF-8 of a character, at most. */
const bytesPerCharacter = 3

/**
 * Frames of megabytes every two seconds would be garbage that the collector looks at late, and holes in the memory of
 * the process.
 */
export function createFrameMemory(): FrameMemory {
  const free: Buffer[] = []

  function take(): FrameBytes {
    let block = free.pop() ?? Buffer.allocUnsafeSlow(initialBytes)
    let length = 0
    let holders = 0

    function growTo(needed: number): void {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, block.length * 2))
      block.copy(larger, 0, 0, length)
      block = larger
    }

    return {
      append(text) {
        const needed = length + text.length * bytesPerCharacter
        if (needed > block.length) growTo(needed)
        length += block.write(text, length)
      },
      get bytes() {
        return block.subarray(0, length)
      },
      hold() {
        holders++
        let isHeld = true
        return () => {
          if (!isHeld) return
          isHeld = false
          holders--
          if (holders === 0 && free.length < maxFree) free.push(block)
        }
      },
    }
  }

  return { take }
}
