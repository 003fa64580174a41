import type { PtySocket } from './ptyInput.ts'

/**
 * From so many bytes on, a piece is taken for part of a flood. Systems give 4096 at most, and a shell's echo is short.
 */
const floodSize = 1024
/** Bytes read in one go: what comes meanwhile of other people must not wait long. */
const gulpSize = 64 * 1024

/**
 * What a pseudo-terminal has at hand beside the piece that it has just given. It gives 4 KiB at most at a time, and a
 * turn of the event loop for each costs more than the piece itself, here and in the system.
 * @param read fills a buffer from an offset on and says by how much; throws EAGAIN when there is nothing
 * @returns takes a piece, and gives it and all that follows at once
 */
export function gulp(socket: PtySocket, read: (into: Uint8Array, offset: number) => number) {
  return (piece: Uint8Array): Uint8Array => {
    if (piece.length < floodSize) return piece
    const all = Buffer.allocUnsafe(gulpSize)
    all.set(piece)
    let size = piece.length
    // The descriptor of a closed terminal may be another file's by now.
    while (size < gulpSize && !socket.destroyed) {
      const count = readSome(all, size)
      if (count === 0) break
      size += count
    }
    return all.subarray(0, size)
  }

  /** An end is met again by whoever reads next, and told there. */
  function readSome(into: Uint8Array, offset: number): number {
    try {
      return read(into, offset)
    } catch {
      return 0
    }
  }
}
