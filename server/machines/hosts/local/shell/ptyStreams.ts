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

/** Chunks of this size or more are part of a flood of output: the echo of a key is short, and no chunk exceeds 4096. */
const floodBytes = 1024
/** Maximum bytes per read, so that a flood of output does not delay other requests. */
const maxReadBytes = 64 * 1024

/**
 * Joins the chunks of a flood of output. A pseudo-terminal returns at most 4 KiB per turn of the event loop, and each
 * turn costs more than the chunk itself.
 * @param isClosed whether the terminal's file descriptor must not be used any more
 * @param read fills a buffer from an offset and returns the number of bytes; throws EAGAIN when there are none
 * @returns takes a chunk, and returns it with all output that is available after it
 */
export function createPtyOutput(isClosed: () => boolean, read: (into: Uint8Array, offset: number) => number) {
  return (chunk: Uint8Array): Uint8Array => {
    if (chunk.length < floodBytes) return chunk
    const buffer = Buffer.allocUnsafe(maxReadBytes)
    buffer.set(chunk)
    let size = chunk.length
    while (size < maxReadBytes && !isClosed()) {
      const count = tryRead(buffer, size)
      if (count === 0) break
      size += count
    }
    return buffer.subarray(0, size)
  }

  /** Ignores errors, because node-pty gets the same error with its next read and handles it. */
  function tryRead(into: Uint8Array, offset: number): number {
    try {
      return read(into, offset)
    } catch {
      return 0
    }
  }
}
