import type { Shell } from '../machines/hosts/host.ts'

/** Takes the output of a shell: the newest socket, or nobody but the history. */
export interface OutputReceiver {
  add(bytes: Uint8Array): void
  /** Sends all gathered output at once. */
  flush(): void
  /** Another takes the output from now on. */
  stop(): void
}

/**
 * Bytes that are read in a second from a shell that no browser shows. Enough for every program that somebody waits for;
 * one that prints without end is slowed down, and costs next to nothing.
 */
export const unwatchedBytesPerSecond = 1024 * 1024

/** Lets a shell that no browser shows go on printing, at a pace. */
export function readUnwatched({ pause, resume }: Pick<Shell, 'pause' | 'resume'>): OutputReceiver {
  let bytesInSecond = 0
  let timer: NodeJS.Timeout | undefined
  return {
    add(bytes) {
      bytesInSecond += bytes.length
      timer ??= setTimeout(() => {
        if (bytesInSecond > unwatchedBytesPerSecond) resume()
        bytesInSecond = 0
        timer = undefined
      }, 1000)
      if (bytesInSecond > unwatchedBytesPerSecond) pause()
    },
    flush() {},
    stop: () => clearTimeout(timer),
  }
}
