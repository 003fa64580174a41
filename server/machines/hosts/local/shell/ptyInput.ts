import { errorCode } from '../../../../../src/domain/errors.ts'

export interface PtyInput {
  write(bytes: Uint8Array): void
  /** Number of bytes that wait for the program to read them. */
  pendingBytes(): number
  /** Drops the pending bytes. */
  stop(): void
}

/** Bytes per write; about the size of a terminal's buffer. */
const maxWriteBytes = 4096
/** Milliseconds until the next attempt when the program does not read; doubled each time. */
const retryDelayMs = { min: 1, max: 64 }

/**
 * Writes to a pseudo-terminal without blocking. The `write` of node-pty blocks the whole process until the program has
 * read everything; a program that sleeps never does.
 * @param isClosed whether the terminal's file descriptor must not be used any more
 * @param write writes as many bytes as possible and returns their number; throws EAGAIN when none can be written
 */
export function createPtyInput(isClosed: () => boolean, write: (bytes: Uint8Array) => number): PtyInput {
  const queue: Uint8Array[] = []
  let pendingBytes = 0
  let delayMs = retryDelayMs.min
  let timer: NodeJS.Timeout | undefined

  /** @returns the number of bytes written; `undefined` when the terminal is closed */
  function tryWrite(bytes: Uint8Array): number | undefined {
    if (isClosed()) return undefined
    try {
      return write(bytes)
    } catch (error) {
      return errorCode(error) === 'EAGAIN' ? 0 : undefined
    }
  }

  function drain(): void {
    timer = undefined
    for (let next = queue[0]; next; next = queue[0]) {
      const written = tryWrite(next.subarray(0, maxWriteBytes))
      if (written === undefined) {
        stop()
        return
      }
      if (written === 0) {
        timer = setTimeout(drain, delayMs)
        delayMs = Math.min(delayMs * 2, retryDelayMs.max)
        return
      }
      delayMs = retryDelayMs.min
      pendingBytes -= written
      if (written < next.length) queue[0] = next.subarray(written)
      else queue.shift()
    }
  }

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
    queue.length = 0
    pendingBytes = 0
  }

  return {
    write(bytes) {
      if (bytes.length === 0) return
      queue.push(bytes)
      pendingBytes += bytes.length
      if (!timer) drain()
    },
    pendingBytes: () => pendingBytes,
    stop,
  }
}
