/** The side of a pseudo-terminal's socket that says whether its descriptor is still its own. */
export interface PtySocket {
  destroyed: boolean
}

export interface PtyInput {
  write(bytes: Uint8Array): void
  /** Bytes that wait for the program to read. */
  waiting(): number
  /** Forgets what waits. */
  stop(): void
}

/** Bytes at a time: about what a terminal takes. */
const pieceSize = 4096
/** Milliseconds until the next try when the program does not read; doubled each time. */
const patience = { least: 1, most: 64 }

/**
 * Types into a pseudo-terminal. The library's own `write` keeps the whole process busy until the program has read
 * everything, which a program that sleeps never does.
 * @param write takes what it can and says how much; throws EAGAIN when that is nothing
 */
export function createPtyInput(socket: PtySocket, write: (bytes: Uint8Array) => number): PtyInput {
  const queue: Uint8Array[] = []
  let waiting = 0
  let patienceMs = patience.least
  let timer: NodeJS.Timeout | undefined

  /** @returns how much was taken; `undefined` when the terminal is gone */
  function offer(bytes: Uint8Array): number | undefined {
    // The descriptor of a closed terminal may be another file's by now.
    if (socket.destroyed) return undefined
    try {
      return write(bytes)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : undefined
    }
  }

  function drain(): void {
    timer = undefined
    for (let next = queue[0]; next; next = queue[0]) {
      const taken = offer(next.subarray(0, pieceSize))
      if (taken === undefined) {
        stop()
        return
      }
      if (taken === 0) {
        timer = setTimeout(drain, patienceMs)
        patienceMs = Math.min(patienceMs * 2, patience.most)
        return
      }
      patienceMs = patience.least
      waiting -= taken
      if (taken < next.length) queue[0] = next.subarray(taken)
      else queue.shift()
    }
  }

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
    queue.length = 0
    waiting = 0
  }

  return {
    write(bytes) {
      if (bytes.length === 0) return
      queue.push(bytes)
      waiting += bytes.length
      if (!timer) drain()
    },
    waiting: () => waiting,
    stop,
  }
}
