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
